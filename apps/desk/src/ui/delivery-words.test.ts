import { expect, test } from "vitest";
import { deliveryWords, outcomeWords } from "./delivery-words.ts";

test("a delivery is told by its way and by what it tells", () => {
  expect(deliveryWords({ channel: "mail-shopper", type: "order.shipped" })).toBe(
    "Email to the shopper: shipped",
  );
  expect(deliveryWords({ channel: "pigeon", type: "order.eaten" })).toBe("pigeon: order.eaten");
});

test("a delivery that failed says why, and one that arrived says no more", () => {
  expect(outcomeWords({ state: "given-up", answer: "550 unknown user" })).toBe(
    "Not delivered: 550 unknown user",
  );
  expect(outcomeWords({ state: "delivered", answer: "250 OK" })).toBe("Delivered");
  expect(outcomeWords({ state: "waiting", answer: null })).toBe("Waiting");
  expect(outcomeWords({ state: "waiting", answer: "451 later" })).toBe("Waiting, after: 451 later");
});
