import type { Webhook } from "@keepsats/protocol";
import type { Database } from "../../platform/database/database.ts";
import { reasonOf } from "../../platform/errors.ts";
import { createCachedValue } from "../../platform/events/cached-value.ts";
import { parseRetryAfter } from "../../platform/http/retry-after.ts";
import {
  type AttemptResult,
  type Channel,
  type Delivery,
  WEBHOOK_CHANNEL,
} from "../../platform/outbox/channel.ts";
import type { DomainEvent } from "../../platform/outbox/emit-events.ts";
import type { Platform } from "../../platform/platform.ts";
import { HOUR, MINUTE, SECOND } from "../../platform/scheduling/clock.ts";
import { findOrderNumber } from "../orders/index.ts";
import type { EditWebhooks } from "./edit-webhooks.ts";
import { payloadOf, signatureHeaders } from "./message.ts";
import type { Post, PostAnswer } from "./post.ts";
import {
  findWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
  webhookAnswer,
} from "./webhook-repository.ts";

/** About three days in all: 3.7 days, less up to a quarter by jitter. */
const RETRY_DELAYS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  ...Array<number>(6).fill(12 * HOUR),
];
/**
 * In milliseconds. A webhook that has failed for this time is switched off with its next failed
 * delivery.
 */
const MAX_FAILING_TIME = 48 * HOUR;
const GONE = 410;

interface Dependencies {
  readonly targetsOf: Channel["targetsOf"];
  readonly post: Post;
  readonly switchOff: EditWebhooks["switchOff"];
  /** For the header `User-Agent`. */
  readonly version: string;
}

/** The channel that delivers events to webhooks, by the Standard Webhooks specification. */
export function createWebhookChannel(
  { db, now }: Database,
  { targetsOf, post, switchOff, version }: Dependencies,
): Channel {
  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    const webhook = await findWebhook(db, delivery.target);
    if (webhook === undefined) return { kind: "skipped", answer: "The webhook was removed." };
    if (webhook.is_on === 0) return { kind: "failed", answer: "The webhook is switched off." };
    const body = payloadOf(delivery, await findOrderNumber(db, delivery.subject));
    if (body === undefined)
      return { kind: "skipped", answer: "Webhooks do not receive this type." };
    const headers = {
      "content-type": "application/json",
      "user-agent": `Keepsats/${version}`,
      ...(await signatureHeaders(webhook, { id: delivery.id, body, at: now() })),
    };
    let result: AttemptResult;
    try {
      result = resultOf(await post({ url: webhook.url, headers, body, signal }), now());
    } catch (error) {
      result = { kind: "retry", answer: reasonOf(error) };
    }
    return signal.reason === "interrupted" ? result : recordResult(webhook, delivery, result);
  }

  /**
   * Stores since when a webhook fails, and switches it off once it is gone. Returns the result that
   * counts: after a change of the URL, a delivery that the former URL refused is retried.
   */
  async function recordResult(
    webhook: WebhookRow,
    { attempts }: Delivery,
    result: AttemptResult,
  ): Promise<AttemptResult> {
    const { id, failing_since: since } = webhook;
    switch (result.kind) {
      case "delivered":
      case "skipped":
        if (since !== null) await updateWebhook(db, id, { failing_since: null });
        return result;
      case "failed": {
        const isOff = await switchOff(webhook, "It answered 410 Gone.");
        return isOff ? result : { kind: "retry", answer: result.answer };
      }
      case "retry": {
        if (since === null) await updateWebhook(db, id, { failing_since: now() });
        const isLast = attempts === RETRY_DELAYS.length;
        if (isLast && since !== null && now() - since >= MAX_FAILING_TIME)
          await switchOff(webhook, "No delivery has succeeded for days.");
        return result;
      }
    }
  }

  return {
    name: WEBHOOK_CHANNEL,
    isOn: () => true,
    targetsOf,
    deliver,
    retryDelays: RETRY_DELAYS,
    timeout: 15 * SECOND,
    concurrency: { total: 80, perTarget: 4 },
    perSecond: 50,
  };
}

/** @param now epoch milliseconds */
function resultOf({ status, body, retryAfter }: PostAnswer, now: number): AttemptResult {
  // PostgreSQL cannot store NUL, and control characters must not reach a terminal.
  const text = body.replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, "�").trim();
  const answer = text === "" ? String(status) : `${status} ${text}`;
  if (status >= 200 && status < 300) return { kind: "delivered", answer };
  if (status === GONE) return { kind: "failed", answer };
  return { kind: "retry", answer, after: parseRetryAfter(retryAfter, now) ?? 0 };
}

/** The webhooks in memory, so that emitting an event reads nothing. */
export async function createWebhookTargets(
  platform: Pick<Platform, "database" | "bus" | "onError" | "rereadInterval">,
) {
  const { db, now } = platform.database;
  const webhooks = await createCachedValue({
    ...platform,
    topic: "webhooks",
    read: async () => (await listWebhooks(db)).map((row) => webhookAnswer(row, now())),
  });
  return {
    /** The ids of the webhooks that receive an event. */
    targetsOf({ type, subject }: Pick<DomainEvent, "type" | "subject">): string[] {
      const receives = ({ id, enabled, events }: Webhook) => {
        if (!enabled) return false;
        return type === "webhook.test" ? id === subject : (events?.includes(type) ?? true);
      };
      return webhooks
        .current()
        .filter(receives)
        .map(({ id }) => id);
    },
    /** The number of webhooks that were switched off because they failed. */
    switchedOff: () =>
      webhooks.current().filter(({ enabled, off_reason }) => !enabled && off_reason !== null)
        .length,
    caughtUp: webhooks.caughtUp,
    close: webhooks.close,
  };
}
