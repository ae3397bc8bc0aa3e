import { type AdminMessage, type AdminTopic, adminTopics } from "@keepsats/protocol";
import type { Bus, Change } from "../../platform/events/bus.ts";

/** The minimum time between two messages, in milliseconds. */
const INTERVAL = 250;

/** The topics that the pages of the admin refetch for each topic of the bus. */
const affectedTopics: Readonly<Record<Change["topic"], readonly AdminTopic[]>> = {
  order: ["orders", "payment_issues", "deliveries", "figures"],
  catalogue: ["items", "figures"],
  stock: ["items", "figures"],
  shop: ["settings"],
  webhooks: ["settings", "deliveries"],
  "order-keys": [],
  sessions: ["sessions"],
  payment_issues: ["payment_issues", "figures"],
  admin: ["payment_issues", "deliveries", "settings", "figures"],
  failed: ["deliveries"],
  gap: adminTopics,
};

/**
 * Throttles the changes that the bus reports to one message per {@link INTERVAL}: the first change
 * is sent at once, and later ones together.
 */
export function createLiveChanges(
  bus: Pick<Bus, "subscribe">,
  send: (message: AdminMessage) => void,
) {
  let topics = new Set<AdminTopic>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    if (topics.size === 0) return;
    const data = { topics: [...topics] };
    topics = new Set();
    timer = setTimeout(flush, INTERVAL).unref();
    send({ type: "changed", data });
  }

  const unsubscribe = bus.subscribe((change) => {
    for (const topic of affectedTopics[change.topic]) topics.add(topic);
    // In the next iteration of the event loop: one call may publish several changes.
    timer ??= setTimeout(flush, 0).unref();
  });

  return {
    close(): void {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
