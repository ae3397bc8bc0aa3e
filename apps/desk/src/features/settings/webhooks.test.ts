import { webhookEvents } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { eventSentence, eventsWords, webhookState } from "./webhooks.ts";

const on = { enabled: true, off_reason: null, failing_since: null };

test("a webhook is on, off, or on without success", () => {
  expect(webhookState(on)).toBe("On");
  expect(webhookState({ ...on, enabled: false })).toBe("Off");
  expect(webhookState({ ...on, failing_since: 1_000 })).toBe(
    "On, but its last message did not arrive",
  );
});

test("a webhook that the shop has switched off says why", () => {
  const off = { ...on, enabled: false, off_reason: "nothing arrived for a week" };
  expect(webhookState(off)).toBe("Switched off by the shop: nothing arrived for a week");
});

test("the events are counted, and null stands for all", () => {
  expect(eventsWords(null)).toBe("all events");
  expect(eventsWords(["order.paid"])).toBe("1 event");
  expect(eventsWords(["order.paid", "order.shipped"])).toBe("2 events");
});

test("an event is told without what is for programmers", () => {
  expect(eventSentence("Money was refunded; `refund_due` is the rest")).toBe("Money was refunded");
  const sentences = Object.values(webhookEvents).map(({ summary }) => eventSentence(summary));
  expect(sentences.filter((sentence) => /[`;]/.test(sentence))).toEqual([]);
});
