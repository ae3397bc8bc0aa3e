import { type DeskMessage, type DeskTopic, deskTopics } from "@keepsats/protocol";
import type { Bus, Change } from "../bus/bus.ts";

/**
 * The least time between two messages, in milliseconds: at most four a second, however much
 * changes.
 */
const PAUSE = 250;

/** What the pages of the desk read again for each topic of the bus. */
const toldOf: Readonly<Record<Change["topic"], readonly DeskTopic[]>> = {
  order: ["orders", "payment_issues", "deliveries", "figures"],
  catalogue: ["items", "figures"],
  stock: ["items", "figures"],
  shop: ["settings"],
  tokens: ["settings"],
  webhooks: ["settings", "deliveries"],
  "order-keys": [],
  sessions: ["sessions"],
  payment_issues: ["payment_issues", "figures"],
  merchant: ["payment_issues", "deliveries", "settings", "figures"],
  "given-up": ["deliveries"],
  gap: deskTopics,
};

/**
 * Collects what the bus reports into messages, at most one per {@link PAUSE}: the first change is
 * told at once, and those of the next moments together.
 */
export function createLiveChanges(
  bus: Pick<Bus, "subscribe">,
  send: (message: DeskMessage) => void,
) {
  let topics = new Set<DeskTopic>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    if (topics.size === 0) return;
    const data = { topics: [...topics] };
    topics = new Set();
    timer = setTimeout(flush, PAUSE).unref();
    send({ type: "changed", data });
  }

  const unsubscribe = bus.subscribe((change) => {
    for (const topic of toldOf[change.topic]) topics.add(topic);
    // Not at once: one call may publish several changes.
    timer ??= setTimeout(flush, 0).unref();
  });

  return {
    close(): void {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
