export * from "./answer.ts";
export * from "./call.ts";
export * from "./retry.ts";
export * from "./socket.ts";
