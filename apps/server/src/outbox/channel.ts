import type { Announcement } from "./announcement.ts";

/**
 * The name of the channel of webhooks; the target of a delivery is the id of its webhook. Only
 * owners see these deliveries.
 */
export const WEBHOOK_CHANNEL = "webhook";

/** The mail server's name in the shared outage state, and the channels that deliver to it. */
export const MAIL = { service: "mail", channels: ["mail-shopper", "mail-merchant"] } as const;

/** One delivery: an announcement to one target of a channel. */
export interface Delivery {
  readonly id: string;
  readonly target: string;
  readonly type: string;
  readonly subject: string;
  readonly data: NonNullable<Announcement["data"]>;
  /** When it was announced, in epoch milliseconds. */
  readonly createdAt: number;
  /** How many attempts were begun before this one, since it was announced or last repeated. */
  readonly attempts: number;
  /** How often the merchant had it repeated. */
  readonly repeats: number;
}

/**
 * What an attempt resulted in; `answer` is a short text for the merchant.
 *
 * - `delivered`: the target has it.
 * - `skipped`: there is nothing to tell any more, for example because the order was erased.
 * - `retry`: it is repeated after the channel's next pause, but not before `after` milliseconds
 *   have passed. `isOutage`: the service itself failed, so every delivery would.
 * - `gave-up`: it can never succeed, so it is not repeated by itself. `isRefusal`: the service
 *   itself refused it, so it is not away.
 */
export type Attempt =
  | { readonly kind: "delivered"; readonly answer: string }
  | { readonly kind: "skipped"; readonly answer: string }
  | {
      readonly kind: "retry";
      readonly answer: string;
      readonly after?: number;
      readonly isOutage?: boolean;
    }
  | { readonly kind: "gave-up"; readonly answer: string; readonly isRefusal?: boolean };

/**
 * Makes one attempt of a delivery. It ends early when the signal is aborted: at the time limit, or
 * with the reason `interrupted` if the process stops. A rejection counts as `retry`.
 */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<Attempt>;

/** A way to tell others, such as mail, and how it is worked off. */
export interface Channel {
  /** The name of the channel in the table, such as `mail-shopper`. */
  readonly name: string;
  /**
   * Whom the channel tells of an announcement, such as the ids of webhooks; an empty list for
   * nobody. Fast: it does no I/O.
   */
  targetsOf(announcement: Announcement): readonly string[];
  readonly deliver: Deliver;
  /**
   * The pauses before the second, third … attempt, in milliseconds; each is shortened at random by
   * up to a quarter. If the attempt after the last pause fails too, the delivery is given up.
   * Example: `[5_000, 60_000]` makes three attempts.
   */
  readonly pauses: readonly number[];
  /**
   * The time limit of one attempt, in milliseconds; its signal is aborted then. It is at most five
   * sixths of the lease of 30 seconds, so that no second process makes the same attempt.
   */
  readonly timeLimit: number;
  /** How many attempts one process makes at the same time: in all, and to one target. */
  readonly atOnce: { readonly all: number; readonly target: number };
  /**
   * How many attempts one process begins per second, so that a long queue leaves time for requests.
   */
  readonly perSecond: number;
}
