import { isWebhookEventType } from "@keepsats/protocol";
import type { Clock } from "../clock.ts";
import type { Queries } from "../db/database.ts";
import { reasonOf } from "../errors.ts";
import { type Attempt, type Channel, type Delivery, WEBHOOK_CHANNEL } from "../outbox/channel.ts";
import type { Endpoints } from "./endpoints.ts";
import { payloadOf } from "./payload.ts";
import type { Post, PostAnswer } from "./post.ts";
import { signatureHeaders } from "./sign.ts";
import { findWebhook, updateWebhook, type WebhookRow } from "./webhook-repository.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/**
 * Repeated over about three days: the sum is 3.7 days, and each pause is shortened at random by up
 * to a quarter.
 */
const PAUSES = [
  ...[5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
  ...Array<number>(6).fill(12 * HOUR),
];
/**
 * A webhook without any success for so long is switched off when the last attempt of a delivery
 * fails, in milliseconds.
 */
const FAILING_FOR_LONG = 48 * HOUR;
const GONE = 410;

/**
 * Switches a webhook off that fails at its address, and ends what waits for it.
 *
 * @returns false if the webhook has another address by now: it stays on
 */
export type SwitchOff = (
  webhook: Pick<WebhookRow, "id" | "url">,
  reason: string,
) => Promise<boolean>;

interface Dependencies {
  readonly db: Queries;
  readonly endpoints: Pick<Endpoints, "targetsOf">;
  readonly post: Post;
  readonly switchOff: SwitchOff;
  readonly onError: (error: unknown) => void;
  /** The clock that all processes share. */
  readonly now: Clock;
  /** The version of the shop, for the header `User-Agent`. */
  readonly version: string;
}

/**
 * Creates the channel that tells the merchant's other systems, as the Standard Webhooks
 * specification has it.
 */
export function createWebhookChannel(dependencies: Dependencies): Channel {
  const { db, endpoints, post, now, version, onError } = dependencies;
  const noteResult = createNoteResult(dependencies);

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<Attempt> {
    const webhook = await findWebhook(db, delivery.target);
    if (webhook === undefined) return { kind: "skipped", answer: "The webhook was removed." };
    if (webhook.is_on === 0) return { kind: "gave-up", answer: "The webhook is switched off." };
    const body = payloadOf(delivery);
    if (body === undefined) return { kind: "skipped", answer: "Webhooks are not told of this." };
    const headers = {
      "content-type": "application/json",
      "user-agent": `Keepsats/${version}`,
      ...(await signatureHeaders(webhook, { id: delivery.id, body, at: now() })),
    };
    let attempt: Attempt;
    try {
      attempt = attemptOf(await post({ url: webhook.url, headers, body, signal }), now());
    } catch (error) {
      attempt = { kind: "retry", answer: reasonOf(error) };
    }
    if (signal.reason === "interrupted") return attempt;
    try {
      return await noteResult(webhook, delivery, attempt);
    } catch (error) {
      // What is not noted is noted by the next attempt; the result of this one counts in any case.
      onError(error);
      return attempt;
    }
  }

  return {
    name: WEBHOOK_CHANNEL,
    targetsOf: (announcement) =>
      isWebhookEventType(announcement.type) ? endpoints.targetsOf(announcement) : [],
    deliver,
    pauses: PAUSES,
    timeLimit: 15 * SECOND,
    atOnce: { all: 80, target: 4 },
    perSecond: 50,
  };
}

/** What an answer means for its delivery. @param now epoch milliseconds */
function attemptOf({ status, body, retryAfter }: PostAnswer, now: number): Attempt {
  // PostgreSQL stores no NUL, and no terminal should be sent control characters.
  const text = body.replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, "�").trim();
  const answer = text === "" ? String(status) : `${status} ${text}`;
  if (status >= 200 && status < 300) return { kind: "delivered", answer };
  if (status === GONE) return { kind: "gave-up", answer };
  return { kind: "retry", answer, after: afterOf(retryAfter, now) };
}

/** The pause that `Retry-After` asks for, in milliseconds: it is a number of seconds or a date. */
function afterOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const pause = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * SECOND
    : Date.parse(retryAfter) - now;
  return Number.isFinite(pause) ? Math.max(0, pause) : 0;
}

/**
 * Creates the function that stores since when a webhook fails, and switches it off when it is gone.
 * It returns the attempt as it counts: what a former address has refused is told to the present
 * one.
 */
function createNoteResult({ db, switchOff, now }: Dependencies) {
  return async (
    webhook: WebhookRow,
    { attempts }: Delivery,
    attempt: Attempt,
  ): Promise<Attempt> => {
    const { id, failing_since: since } = webhook;
    switch (attempt.kind) {
      case "delivered":
      case "skipped":
        if (since !== null) await updateWebhook(db, id, { failing_since: null });
        return attempt;
      case "gave-up": {
        const isOver = await switchOff(webhook, "It answered 410 Gone.");
        return isOver ? attempt : { kind: "retry", answer: attempt.answer };
      }
      case "retry": {
        if (since === null) await updateWebhook(db, id, { failing_since: now() });
        const isLast = attempts === PAUSES.length;
        if (isLast && since !== null && now() - since >= FAILING_FOR_LONG)
          await switchOff(webhook, "No delivery has succeeded for days.");
        return attempt;
      }
    }
  };
}
