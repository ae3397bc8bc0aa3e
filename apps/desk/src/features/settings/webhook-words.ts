import type { Webhook } from "@keepsats/protocol";

/** Whether a webhook is told, such as "On", or why not. */
export function webhookState({
  enabled,
  off_reason,
  failing_since,
}: Pick<Webhook, "enabled" | "off_reason" | "failing_since">): string {
  if (!enabled) return off_reason === null ? "Off" : `Switched off by the shop: ${off_reason}`;
  return failing_since === null ? "On" : "On, but its last message did not arrive";
}

/** What a webhook is told of. */
export function eventsWords(events: Webhook["events"]): string {
  if (events === null) return "all events";
  return events.length === 1 ? "1 event" : `${events.length} events`;
}

/**
 * An event in one sentence. What its summary adds behind a semicolon is for whoever writes the
 * receiver.
 */
export function eventSentence(summary: string): string {
  return summary.split(";", 1)[0] ?? summary;
}
