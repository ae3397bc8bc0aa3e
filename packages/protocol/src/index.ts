export * from "./items.ts";
export * from "./me.ts";
export * from "./merchant.ts";
export * from "./order-stream.ts";
export * from "./orders.ts";
export * from "./page-config.ts";
export * from "./paths.ts";
export * from "./problem.ts";
