import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { paths } from "@keepsats/protocol";
import { anOrder } from "@keepsats/testing";
import { WebSocket } from "ws";
import { readSettings } from "../settings.ts";

/**
 * The usual load of a shop, faster: visitors, orders, and followers who connect and disconnect.
 * Runs until it is stopped.
 */
const { port } = readSettings<{ port: number }>();
const url = `http://127.0.0.1:${port}`;
const EVERY = 10;
let visits = 0;
let stopped = false;

async function visit(): Promise<void> {
  visits += 1;
  const address = { "x-forwarded-for": `10.1.${(visits >> 8) & 255}.${visits & 255}` };
  await (await fetch(`${url}${paths.items}`, { headers: address })).arrayBuffer();
  if (visits % 4 !== 0) return;
  const answer = await fetch(`${url}${paths.orders}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": `soak-${visits}`,
      ...address,
    },
    body: JSON.stringify(anOrder()),
  });
  const { id } = await answer.json();
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${paths.orderStream}?order_id=${id}&contract_id=c${visits}`,
    {
      origin: "http://shop.example",
      headers: address,
    },
  );
  socket.on("error", () => {});
  await once(socket, "open");
  await pause(2_000 * Math.random());
  socket.terminate();
}

process.stdin.once("data", () => {
  stopped = true;
});
console.log("ready");
const visiting = new Set<Promise<void>>();
while (!stopped) {
  const one = visit().finally(() => visiting.delete(one));
  visiting.add(one);
  await pause(EVERY);
}
await Promise.all(visiting);
console.log(JSON.stringify({ visits }));
process.exit();
