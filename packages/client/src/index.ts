export * from "./call.ts";
export * from "./socket.ts";
