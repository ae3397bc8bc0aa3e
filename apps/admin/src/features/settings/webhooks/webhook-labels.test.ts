import { webhookEvents } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { eventSentence, eventsLabel, webhookState } from "./webhook-labels.ts";

const on = { enabled: true, off_reason: null, failing_since: null };

test("a webhook is on, off, or failing", () => {
  expect(webhookState(on)).toBe("On");
  expect(webhookState({ ...on, enabled: false })).toBe("Off");
  expect(webhookState({ ...on, failing_since: 1_000 })).toBe("On, but the last delivery failed");
});

test("a webhook that the shop has switched off shows the reason", () => {
  const off = { ...on, enabled: false, off_reason: "nothing arrived for a week" };
  expect(webhookState(off)).toBe("Switched off by the shop: nothing arrived for a week");
});

test("the events are counted, and null stands for all", () => {
  expect(eventsLabel(null)).toBe("all events");
  expect(eventsLabel(["order.paid"])).toBe("1 event");
  expect(eventsLabel(["order.paid", "order.shipped"])).toBe("2 events");
});

test("the sentence of an event omits the part for developers", () => {
  expect(eventSentence("Money was refunded; `refund_due` is the rest")).toBe("Money was refunded");
  const sentences = Object.values(webhookEvents).map(({ summary }) => eventSentence(summary));
  expect(sentences.filter((sentence) => /[`;]/.test(sentence))).toEqual([]);
});
