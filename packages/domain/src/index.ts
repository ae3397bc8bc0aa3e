export * from "./basket.ts";
export * from "./checkout-form.ts";
export * from "./currency.ts";
export * from "./money.ts";
export * from "./order-fields.ts";
export * from "./order-id.ts";
export * from "./order-price.ts";
export * from "./order-status.ts";
