import { createFollowedValue, type Following } from "../bus/followed-value.ts";
import type { Queries } from "../db/database.ts";
import type { Announcement } from "../outbox/announcement.ts";
import { eventsOf, listWebhooks } from "./webhook-repository.ts";

/** Knows from memory which webhooks are told of what, so that an announcement reads nothing. */
export interface Endpoints {
  /** The ids of the webhooks that are told of an announcement. */
  targetsOf(announcement: Pick<Announcement, "type" | "subject">): readonly string[];
  /** How many webhooks the shop has switched off. */
  readonly switchedOff: number;
  /**
   * Resolves when no read is in progress: every change that this process has published is known.
   */
  settled(): Promise<void>;
  close(): void;
}

interface Options extends Following {
  readonly db: Queries;
}

interface Endpoint {
  readonly id: string;
  readonly events: ReadonlySet<string> | null;
  readonly isOn: boolean;
  readonly isSwitchedOff: boolean;
}

/** Reads the webhooks now, and again whenever the bus reports a change. */
export async function createEndpoints({ db, ...following }: Options): Promise<Endpoints> {
  const endpoints = await createFollowedValue({
    ...following,
    topic: "webhooks",
    read: () => read(db),
  });
  return {
    targetsOf({ type, subject }) {
      const isTold = ({ id, events, isOn }: Endpoint) => {
        if (type === "webhook.test") return isOn && id === subject;
        return isOn && (events === null || events.has(type));
      };
      return endpoints
        .current()
        .filter(isTold)
        .map(({ id }) => id);
    },
    get switchedOff() {
      return endpoints.current().filter(({ isSwitchedOff }) => isSwitchedOff).length;
    },
    settled: endpoints.settled,
    close: endpoints.close,
  };
}

async function read(db: Queries): Promise<Endpoint[]> {
  const rows = await listWebhooks(db);
  return rows.map((row) => {
    const events = eventsOf(row);
    return {
      id: row.id,
      events: events === null ? null : new Set(events),
      isOn: row.is_on === 1,
      isSwitchedOff: row.is_on === 0 && row.off_reason !== null,
    };
  });
}
