import { expect, test } from "vitest";
import { aNumberedOrder } from "../../../../../test/harness/builders.ts";
import type { Order } from "../orders/index.ts";
import { broadcast, newRoom, newSubscription, sendError } from "./room.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const order: Order = aNumberedOrder({ id: ORDER });
const first = { order, paidBy: [] };
const second = { order: { ...order, version: 2 }, paidBy: [] };

/** A subscription that records the kinds of errors and the names in orders that it is sent. */
function subscribe({ holdsKey = false, isBound = false } = {}) {
  const sent: string[] = [];
  const subscription = newSubscription(
    {
      holdsKey,
      network: "192.0.2.1",
      deliver(message) {
        const { type, data } = JSON.parse(message.toString());
        sent.push(type === "error" ? data.kind : data.customer_name || "withheld");
      },
    },
    "c",
  );
  subscription.isBound = isBound;
  return { subscription, sent };
}

test("a subscriber is sent an error once, and a different error after it", () => {
  const { subscription, sent } = subscribe();
  sendError(subscription, "ConnectionError");
  sendError(subscription, "ConnectionError");
  sendError(subscription, "ContractNotFound");
  sendError(subscription, "OrderNotFound");
  expect(sent).toEqual(["ConnectionError", "ContractNotFound", "OrderNotFound"]);
});

test("a version is sent once, and once more when the loan has paid", () => {
  const [open, holder] = [subscribe({ isBound: true }), subscribe({ holdsKey: true })];
  const room = newRoom(ORDER, async () => {});
  room.subscriptions.add(open.subscription).add(holder.subscription);
  broadcast(room, first);
  broadcast(room, first);
  expect([open.sent, holder.sent]).toEqual([["withheld"], ["Ada Lovelace"]]);
  open.subscription.hasPaid = true;
  broadcast(room, first);
  broadcast(room, first);
  expect([open.sent, holder.sent]).toEqual([["withheld", "Ada Lovelace"], ["Ada Lovelace"]]);
  open.subscription.hasPaid = false;
  broadcast(room, first);
  expect(open.sent, "never the order without personal data again").toHaveLength(2);
  broadcast(room, second);
  expect(open.sent.at(-1)).toBe("withheld");
  expect(holder.sent).toHaveLength(2);
});

test("subscribers whose loan is not bound are sent the order only if they hold its key", () => {
  const [bound, other, holder] = [
    subscribe({ isBound: true }),
    subscribe(),
    subscribe({ holdsKey: true }),
  ];
  const room = newRoom(ORDER, async () => {});
  for (const { subscription } of [bound, other, holder]) room.subscriptions.add(subscription);
  broadcast(room, first);
  expect([bound.sent, other.sent, holder.sent]).toEqual([["withheld"], [], ["Ada Lovelace"]]);
});
