import type { Webhook } from "@keepsats/protocol";

/** Whether a webhook is on, or the reason why it is off. */
export function webhookState(
  webhook: Pick<Webhook, "enabled" | "off_reason" | "failing_since">,
): string {
  const { enabled, off_reason, failing_since } = webhook;
  if (!enabled) return off_reason === null ? "Off" : `Switched off by the shop: ${off_reason}`;
  return failing_since === null ? "On" : "On, but the last delivery failed";
}

export function eventsLabel(events: Webhook["events"]): string {
  if (events === null) return "all events";
  return events.length === 1 ? "1 event" : `${events.length} events`;
}

/** The summary of an event up to its semicolon. The rest is for developers of receivers. */
export function eventSentence(summary: string): string {
  return summary.split(";", 1)[0] ?? summary;
}
