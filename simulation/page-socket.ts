import { Agent } from "node:http";
import { duplexPair } from "node:stream";
import { paths, streamParameters } from "@keepsats/protocol";
import { WebSocket } from "ws";
import type { App } from "../apps/server/src/app.ts";
import { PUBLIC_URL } from "./shop.ts";
import type { Listener, Subscription } from "./world.ts";

/** The path of the order stream with the parameters of a subscription. */
export function streamPathOf({ orderId, loanId, key }: Subscription): string {
  const query = new URLSearchParams({ [streamParameters.orderId]: orderId });
  if (loanId !== undefined) query.set(streamParameters.contractId, loanId);
  if (key !== undefined) query.set(streamParameters.key, key);
  return `${paths.orderStream}?${query}`;
}

/** Opens the order stream of a server as a browser does, without a network. */
export function openPageSocket(
  { server }: Pick<App["http"], "server">,
  subscription: Subscription,
  { onMessage, onClose }: Listener,
): WebSocket {
  const [client, accepted] = duplexPair();
  Object.defineProperty(accepted, "remoteAddress", { value: "192.0.2.1" });
  server.emit("connection", accepted);
  const agent = new Agent();
  agent.createConnection = () => client;
  const url = `ws://shop.example${streamPathOf(subscription)}`;
  const socket = new WebSocket(url, { agent, origin: PUBLIC_URL });
  socket.on("message", (data) => onMessage(String(data)));
  socket.on("error", () => {});
  socket.on("close", onClose);
  return socket;
}
