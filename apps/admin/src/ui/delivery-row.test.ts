import { webhookEventTypes } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { deliveryLabel, outcomeLabel } from "./delivery-row.tsx";

test("the label of a delivery has its channel and its event", () => {
  expect(deliveryLabel({ channel: "email-customer", type: "order.shipped" })).toBe(
    "Email to the customer: shipped",
  );
  expect(deliveryLabel({ channel: "pigeon", type: "order.eaten" })).toBe("pigeon: order.eaten");
});

test.each(webhookEventTypes)("the event %s has a label", (type) => {
  expect(deliveryLabel({ channel: "webhook", type })).not.toContain(type);
});

test("a failed delivery shows the answer, a delivered one does not", () => {
  expect(outcomeLabel({ state: "failed", answer: "550 unknown user" })).toBe(
    "Not delivered: 550 unknown user",
  );
  expect(outcomeLabel({ state: "delivered", answer: "250 OK" })).toBe("Delivered");
  expect(outcomeLabel({ state: "waiting", answer: null })).toBe("Waiting");
  expect(outcomeLabel({ state: "waiting", answer: "451 later" })).toBe("Waiting, after: 451 later");
});
