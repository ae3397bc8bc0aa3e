import type { DeliveryChannel } from "@keepsats/protocol";
import type { DomainEvent } from "./emit-events.ts";

/**
 * The channel of webhooks. The target of a delivery is the id of its webhook. Only owners see these
 * deliveries.
 */
export const WEBHOOK_CHANNEL = "webhook" satisfies DeliveryChannel;

/** The mail server's name in the shared outage state, and the channels that deliver to it. */
export const MAIL_SERVER = {
  service: "mail",
  channels: ["email-customer", "email-merchant"],
} as const satisfies { readonly service: string; readonly channels: readonly DeliveryChannel[] };

/** One delivery: an event to one target of a channel. */
export interface Delivery {
  readonly id: string;
  readonly target: string;
  /** Any text: a newer version may have stored a type that this version does not know. */
  readonly type: string;
  readonly subject: string;
  readonly data: NonNullable<DomainEvent["data"]>;
  /** When the event was emitted, in epoch milliseconds. */
  readonly createdAt: number;
  /** The number of earlier attempts, since the event was emitted or the last manual retry. */
  readonly attempts: number;
  /** How often staff have retried it. */
  readonly manualRetries: number;
}

/**
 * The result of an attempt; `answer` is a short text for staff.
 *
 * - `skipped`: nothing is left to deliver, for example because the order was erased.
 * - `retry`: it is retried after the channel's next delay, but not before `after` milliseconds.
 *   `isOutage`: the service itself failed, so every delivery would.
 * - `failed`: it can never succeed, so it is not retried automatically. `isRefusal`: the service
 *   refused it, so the service is available.
 */
export type AttemptResult =
  | { readonly kind: "delivered"; readonly answer: string }
  | { readonly kind: "skipped"; readonly answer: string }
  | {
      readonly kind: "retry";
      readonly answer: string;
      readonly after?: number;
      readonly isOutage?: boolean;
    }
  | { readonly kind: "failed"; readonly answer: string; readonly isRefusal?: boolean };

/**
 * Makes one attempt of a delivery. It ends early when the signal is aborted: at the timeout, or
 * with the reason `interrupted` if the process stops. A rejection counts as `retry`.
 */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<AttemptResult>;

/** A way to deliver events, such as email. */
export interface Channel {
  /** The name in the table, such as `email-customer`. */
  readonly name: string;
  /** While it is off, its deliveries wait. */
  readonly isOn: () => boolean;
  /** The targets of an event, such as the ids of webhooks. Fast: it does no I/O. */
  targetsOf(event: DomainEvent): readonly string[];
  readonly deliver: Deliver;
  /**
   * The delays before the second, third … attempt, in milliseconds; jitter shortens each by up to a
   * quarter. After the attempt that follows the last delay, the delivery fails. Example: `[5_000,
   * 60_000]` makes three attempts.
   */
  readonly retryDelays: readonly number[];
  /**
   * The timeout of one attempt, in milliseconds. It must be shorter than the lease of 30 seconds, or
   * a second process makes the same attempt.
   */
  readonly timeout: number;
  /** The maximum number of simultaneous attempts of one process. */
  readonly concurrency: { readonly total: number; readonly perTarget: number };
  /** The maximum number of attempts that one process starts per second. */
  readonly perSecond: number;
}
