import { expect, test } from "vitest";
import { aNumberedOrder } from "../../../../../test/harness/builders.ts";
import type { Order } from "../orders/index.ts";
import { serializeOrder } from "./order-message.ts";
import {
  type Audience,
  broadcast,
  clearError,
  isNewer,
  newAudience,
  newRoom,
  type Subscriber,
  sendCurrent,
  sendError,
} from "./room.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const order: Order = aNumberedOrder({ id: ORDER });
const serialized = serializeOrder(order);

/** A subscriber that records the kinds of errors and the names in orders that it is sent. */
function newSubscriber({ holdsKey = false } = {}) {
  const sent: string[] = [];
  const subscriber: Subscriber = {
    holdsKey,
    rank: 0,
    network: "192.0.2.1",
    deliver(message) {
      const { type, data } = JSON.parse(message.toString());
      sent.push(type === "error" ? data.kind : data.customer_name || "withheld");
    },
  };
  return { subscriber, sent };
}

function audienceOf(...subscribers: Subscriber[]): Audience {
  const audience = newAudience("c");
  for (const subscriber of subscribers) audience.subscribers.add(subscriber);
  return audience;
}

test("every subscriber of an audience is sent an error once, and a different error after it", () => {
  const [one, two] = [newSubscriber(), newSubscriber()];
  const audience = audienceOf(one.subscriber, two.subscriber);
  sendError(audience, "ConnectionError");
  sendError(audience, "ConnectionError");
  sendError(audience, "ContractNotFound");
  sendError(audience, "OrderNotFound");
  expect(one.sent).toEqual(["ConnectionError", "ContractNotFound", "OrderNotFound"]);
  expect(two.sent).toEqual(one.sent);
});

test("when an error ends, the order is sent again to subscribers that already have it", () => {
  const { subscriber, sent } = newSubscriber({ holdsKey: true });
  const audience = audienceOf(subscriber);
  audience.isBound = true;
  sendCurrent(subscriber, audience, serialized);
  sendError(audience, "ConnectionError");
  clearError(audience, serialized);
  expect(sent).toEqual(["Ada Lovelace", "ConnectionError", "Ada Lovelace"]);
  sendError(audience, "ConnectionError");
  expect(sent.at(-1), "the same error can be sent again").toBe("ConnectionError");
});

test("without an error the order is not sent again", () => {
  const { subscriber, sent } = newSubscriber();
  const audience = audienceOf(subscriber);
  audience.isBound = true;
  sendCurrent(subscriber, audience, serialized);
  clearError(audience, serialized);
  expect(sent).toEqual(["withheld"]);
});

test("an error can end before the order has been read", () => {
  const { subscriber, sent } = newSubscriber();
  const audience = audienceOf(subscriber);
  sendError(audience, "ConnectionError");
  clearError(audience, undefined);
  expect(sent).toEqual(["ConnectionError"]);
  expect(audience.error).toBeUndefined();
});

test("a new subscriber is sent the order and the error of its audience", () => {
  const { subscriber, sent } = newSubscriber();
  const audience = audienceOf(subscriber);
  sendCurrent(subscriber, audience, undefined);
  sendCurrent(subscriber, audience, serialized);
  expect(sent, "the loan is not bound").toEqual([]);
  audience.isBound = true;
  audience.error = "ConnectionError";
  sendCurrent(subscriber, audience, undefined);
  expect(sent).toEqual(["ConnectionError"]);
  sendCurrent(subscriber, audience, serialized);
  expect(sent).toEqual(["ConnectionError", "withheld", "ConnectionError"]);
});

test("a version is sent once, and once more when the loan has paid", () => {
  const [open, holder] = [newSubscriber(), newSubscriber({ holdsKey: true })];
  const room = newRoom(ORDER);
  const audience = audienceOf(open.subscriber, holder.subscriber);
  room.audiences.set("c", audience);
  audience.isBound = true;
  broadcast(room);
  expect(open.sent, "nothing has been read").toEqual([]);
  room.latest = serialized;
  broadcast(room);
  broadcast(room);
  expect([open.sent, holder.sent]).toEqual([["withheld"], ["Ada Lovelace"]]);
  audience.hasPaid = true;
  broadcast(room);
  broadcast(room);
  expect([open.sent, holder.sent]).toEqual([["withheld", "Ada Lovelace"], ["Ada Lovelace"]]);
  audience.hasPaid = false;
  broadcast(room);
  expect(open.sent, "never the order without personal data again").toHaveLength(2);
  room.latest = serializeOrder({ ...order, version: 2 });
  broadcast(room);
  expect(open.sent.at(-1)).toBe("withheld");
  expect(holder.sent).toHaveLength(2);
});

test("subscribers whose loan is not bound are sent the order only if they hold its key", () => {
  const [bound, other, holder] = [
    newSubscriber(),
    newSubscriber(),
    newSubscriber({ holdsKey: true }),
  ];
  const room = newRoom(ORDER);
  const audience = audienceOf(bound.subscriber);
  audience.isBound = true;
  room.audiences.set("a", audience).set("b", audienceOf(other.subscriber, holder.subscriber));
  room.latest = serialized;
  broadcast(room);
  expect([bound.sent, other.sent, holder.sent]).toEqual([["withheld"], [], ["Ada Lovelace"]]);
});

test("only a version after the latest one is newer", () => {
  const room = newRoom(ORDER);
  expect([0, 1].map((version) => isNewer(room, version))).toEqual([false, true]);
  room.latest = serializeOrder({ ...order, version: 2 });
  expect([1, 2, 3].map((version) => isNewer(room, version))).toEqual([false, false, true]);
});
