import type { Clock } from "../clock.ts";
import type { Announce } from "./announcement.ts";
import type { Channel } from "./channel.ts";

export type { Announce, Announcement } from "./announcement.ts";

interface Dependencies {
  /** The clock that all processes share. */
  readonly now: Clock;
  readonly newId: () => string;
  readonly channels: readonly Pick<Channel, "name" | "targetsOf">[];
  /** Called after the commit of new deliveries. */
  readonly onStored: () => void;
}

/** The most rows of one statement; databases limit the number of its parameters. */
const ROWS_PER_STATEMENT = 500;

/** Creates {@link Announce}. Nothing is stored where no channel has a target. */
export function createAnnounce({ now, newId, channels, onStored }: Dependencies): Announce {
  return async (unit, announcements) => {
    const at = now();
    const rows = announcements.flatMap((announcement) => {
      const { type, subject, data = {} } = announcement;
      return channels.flatMap((channel) =>
        channel.targetsOf(announcement).map((target) => ({
          id: newId(),
          channel: channel.name,
          target,
          type,
          subject,
          data: JSON.stringify(data),
          state: "waiting" as const,
          next_at: at,
          created_at: at,
        })),
      );
    });
    if (rows.length === 0) return;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      await unit.db
        .insertInto("outbox")
        .values(rows.slice(start, start + ROWS_PER_STATEMENT))
        .execute();
    }
    unit.afterCommit(onStored);
  };
}
