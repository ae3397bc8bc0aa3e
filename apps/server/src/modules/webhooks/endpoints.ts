import type { Queries } from "../../platform/database/database.ts";
import {
  type CachedValue,
  createCachedValue,
  type RefreshOptions,
} from "../../platform/events/cached-value.ts";
import type { DomainEvent } from "../../platform/outbox/domain-event.ts";
import { eventsOf, listWebhooks } from "./webhook-repository.ts";

/** The webhooks in memory, so that emitting an event reads nothing. */
export interface Endpoints {
  /** The ids of the webhooks that receive an event. */
  targetsOf(event: Pick<DomainEvent, "type" | "subject">): readonly string[];
  /** The number of webhooks that were switched off because they failed. */
  readonly switchedOff: number;
  /** See {@link CachedValue.settled}. */
  readonly settled: CachedValue<unknown>["settled"];
  close(): void;
}

interface Options extends RefreshOptions {
  readonly db: Queries;
}

interface Endpoint {
  readonly id: string;
  readonly events: ReadonlySet<string> | null;
  readonly isOn: boolean;
  readonly isSwitchedOff: boolean;
}

export async function createEndpoints({ db, ...refresh }: Options): Promise<Endpoints> {
  const endpoints = await createCachedValue({
    ...refresh,
    topic: "webhooks",
    read: () => read(db),
  });
  return {
    targetsOf({ type, subject }) {
      const receives = ({ id, events, isOn }: Endpoint) => {
        if (type === "webhook.test") return isOn && id === subject;
        return isOn && (events === null || events.has(type));
      };
      return endpoints
        .current()
        .filter(receives)
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
