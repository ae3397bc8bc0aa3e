import type { Bus } from "../bus/bus.ts";
import { type CoalescedRead, readCoalesced } from "../bus/coalesced-read.ts";
import type { Queries } from "../db/database.ts";
import type { Announcement } from "../outbox/announcement.ts";
import { eventsOf, listWebhooks } from "./webhook-repository.ts";

/** Knows from memory which webhooks are told of what, so that an announcement reads nothing. */
export interface Endpoints {
  /** The ids of the webhooks that are told of an announcement. */
  targetsOf(announcement: Pick<Announcement, "type" | "subject">): readonly string[];
  /** How many webhooks the shop has switched off. */
  readonly switchedOff: number;
  /** Resolves when no read is in progress: every change that this process has published is known. */
  settled(): Promise<void>;
  close(): void;
}

interface Options {
  readonly db: Queries;
  readonly bus: Bus;
  readonly onError: (error: unknown) => void;
  /** The interval of periodic re-reads in milliseconds; they find changes whose messages the bus has lost. */
  readonly reread: number;
}

interface Endpoint {
  readonly id: string;
  readonly events: ReadonlySet<string> | null;
  readonly isOn: boolean;
  readonly isSwitchedOff: boolean;
}

/** Reads the webhooks now, and again whenever the bus reports a change. */
export async function createEndpoints({ db, bus, onError, reread }: Options): Promise<Endpoints> {
  let endpoints = await read(db);
  const state: CoalescedRead = { reading: undefined, stale: false };

  function refresh(): void {
    readCoalesced(state, async () => {
      endpoints = await read(db);
    }).catch(onError);
  }

  const unsubscribe = bus.subscribe(({ topic }) => {
    if (topic === "webhooks" || topic === "gap") refresh();
  });
  const rereading = setInterval(refresh, reread);
  rereading.unref();
  return {
    targetsOf({ type, subject }) {
      const isTold = ({ id, events, isOn }: Endpoint) => {
        if (type === "webhook.test") return isOn && id === subject;
        return isOn && (events === null || events.has(type));
      };
      return endpoints.filter(isTold).map(({ id }) => id);
    },
    get switchedOff() {
      return endpoints.filter(({ isSwitchedOff }) => isSwitchedOff).length;
    },
    settled: async () => state.reading?.catch(() => {}),
    close() {
      unsubscribe();
      clearInterval(rereading);
    },
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
