import { expect, test } from "vitest";
import { aStoredOrder } from "../../../../test/harness/builders.ts";
import type { Order } from "../orders/index.ts";
import {
  type Audience,
  broadcast,
  clearError,
  type Follower,
  isNewer,
  newAudience,
  newChannel,
  sendCurrent,
  sendError,
} from "./channel.ts";
import { newFrame } from "./frame.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const order: Order = aStoredOrder({ id: ORDER });
const frame = newFrame(order);

/** A follower, and what it was sent: an error's kind, or the name that the order shows. */
function newFollower({ holdsKey = false } = {}) {
  const sent: string[] = [];
  const follower: Follower = {
    holdsKey,
    rank: 0,
    address: "192.0.2.1",
    deliver(message) {
      const { type, data } = JSON.parse(message.toString());
      sent.push(type === "error" ? data.kind : data.customer_name || "withheld");
    },
  };
  return { follower, sent };
}

function audienceOf(...followers: Follower[]): Audience {
  const audience = newAudience("c");
  for (const follower of followers) audience.followers.add(follower);
  return audience;
}

test("every follower of an audience is sent an error once, and a different error after it", () => {
  const [one, two] = [newFollower(), newFollower()];
  const audience = audienceOf(one.follower, two.follower);
  sendError(audience, "ConnectionError");
  sendError(audience, "ConnectionError");
  sendError(audience, "ContractNotFound");
  sendError(audience, "OrderNotFound");
  expect(one.sent).toEqual(["ConnectionError", "ContractNotFound", "OrderNotFound"]);
  expect(two.sent).toEqual(one.sent);
});

test("when an error ends, the order is sent again to followers that have it already", () => {
  const { follower, sent } = newFollower({ holdsKey: true });
  const audience = audienceOf(follower);
  audience.bound = true;
  sendCurrent(follower, audience, frame);
  sendError(audience, "ConnectionError");
  clearError(audience, frame);
  expect(sent).toEqual(["Ada Lovelace", "ConnectionError", "Ada Lovelace"]);
  sendError(audience, "ConnectionError");
  expect(sent.at(-1), "the same error may come again").toBe("ConnectionError");
});

test("without an error the order is not sent again", () => {
  const { follower, sent } = newFollower();
  const audience = audienceOf(follower);
  audience.bound = true;
  sendCurrent(follower, audience, frame);
  clearError(audience, frame);
  expect(sent).toEqual(["withheld"]);
});

test("an error can end before the order has been read", () => {
  const { follower, sent } = newFollower();
  const audience = audienceOf(follower);
  sendError(audience, "ConnectionError");
  clearError(audience, undefined);
  expect(sent).toEqual(["ConnectionError"]);
  expect(audience.error).toBeUndefined();
});

test("a new follower is sent the order and the error of its audience", () => {
  const { follower, sent } = newFollower();
  const audience = audienceOf(follower);
  sendCurrent(follower, audience, undefined);
  sendCurrent(follower, audience, frame);
  expect(sent, "the loan is not bound").toEqual([]);
  audience.bound = true;
  audience.error = "ConnectionError";
  sendCurrent(follower, audience, undefined);
  expect(sent).toEqual(["ConnectionError"]);
  sendCurrent(follower, audience, frame);
  expect(sent).toEqual(["ConnectionError", "withheld", "ConnectionError"]);
});

test("a version is sent to a follower once, and once more when its loan has paid", () => {
  const [open, holder] = [newFollower(), newFollower({ holdsKey: true })];
  const channel = newChannel(ORDER);
  const audience = audienceOf(open.follower, holder.follower);
  channel.audiences.set("c", audience);
  audience.bound = true;
  broadcast(channel);
  expect(open.sent, "nothing has been read").toEqual([]);
  channel.frame = frame;
  broadcast(channel);
  broadcast(channel);
  expect([open.sent, holder.sent]).toEqual([["withheld"], ["Ada Lovelace"]]);
  audience.paid = true;
  broadcast(channel);
  broadcast(channel);
  expect([open.sent, holder.sent]).toEqual([["withheld", "Ada Lovelace"], ["Ada Lovelace"]]);
  audience.paid = false;
  broadcast(channel);
  expect(open.sent, "never back to the order without its people").toHaveLength(2);
  channel.frame = newFrame({ ...order, version: 2 });
  broadcast(channel);
  expect(open.sent.at(-1)).toBe("withheld");
  expect(holder.sent).toHaveLength(2);
});

test("followers whose loan is not bound are sent the order only if they hold its key", () => {
  const [bound, other, holder] = [newFollower(), newFollower(), newFollower({ holdsKey: true })];
  const channel = newChannel(ORDER);
  const audience = audienceOf(bound.follower);
  audience.bound = true;
  channel.audiences.set("a", audience).set("b", audienceOf(other.follower, holder.follower));
  channel.frame = frame;
  broadcast(channel);
  expect([bound.sent, other.sent, holder.sent]).toEqual([["withheld"], [], ["Ada Lovelace"]]);
});

test("only a version after the one in the frame is newer", () => {
  const channel = newChannel(ORDER);
  expect([0, 1].map((version) => isNewer(channel, version))).toEqual([false, true]);
  channel.frame = newFrame({ ...order, version: 2 });
  expect([1, 2, 3].map((version) => isNewer(channel, version))).toEqual([false, false, true]);
});
