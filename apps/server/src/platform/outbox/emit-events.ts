import type { WebhookEventType } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../database/database.ts";

/** Webhooks receive every type; each email template set decides which ones send an email. */
export type DomainEventType = WebhookEventType;

/** An event that must be delivered to emails and webhooks. */
export interface DomainEvent {
  readonly type: DomainEventType;
  /** The id of the order or item. Events of one subject reach a target in their order. */
  readonly subject: string;
  /** JSON without personal data: a delivery reads that when it is sent. */
  readonly data?: { readonly [field: string]: Json };
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };

/**
 * Stores events as deliveries, in the transaction of the change. The caller holds the lock of each
 * subject, so that its deliveries are stored in the order of its changes. Nothing is stored for
 * events without a target.
 */
export type EmitEvents = (unit: UnitOfWork, events: readonly DomainEvent[]) => Promise<void>;

interface Dependencies {
  readonly database: Pick<Database, "now">;
  readonly newId: () => string;
  readonly channels: readonly {
    readonly name: string;
    targetsOf(event: DomainEvent): readonly string[];
  }[];
  /** Called after new deliveries are committed. */
  readonly onStored: () => void;
}

export function createEmitEvents({
  database,
  newId,
  channels,
  onStored,
}: Dependencies): EmitEvents {
  return async (unit, events) => {
    const at = database.now();
    const rows = events.flatMap((event) => {
      const { type, subject, data = {} } = event;
      return channels.flatMap((channel) =>
        channel.targetsOf(event).map((target) => ({
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
    await unit.insertAll({ outbox: rows });
    unit.afterCommit(onStored);
  };
}
