import { isWebhookEventType, webhookPayloadSchema } from "@keepsats/protocol";
import { Webhook } from "standardwebhooks";
import * as z from "zod/mini";
import type { PostRequest } from "../apps/server/src/webhooks/post.ts";
import type { CommittedDelivery, State } from "./committed.ts";
import type { WebhookHistory } from "./webhook-history.ts";

interface Surroundings {
  readonly state: () => State;
  readonly webhookHistory: WebhookHistory;
  readonly now: () => number;
  /**
   * Whether the clock of the shop's machine was ever set: nobody can tell then how old a message
   * is.
   */
  readonly hasJumped: () => boolean;
  readonly fail: (rule: string, detail: string) => void;
}

/**
 * Checks a message when the shop sends it: whether the webhook wants it at this address, is signed
 * for it and says what has happened.
 *
 * @returns the delivery that it makes
 */
export function checkMessage(
  around: Surroundings,
  request: PostRequest,
): CommittedDelivery | undefined {
  const { headers, url, body } = request;
  const { webhooks, deliveries, refunds } = around.state();
  const delivery = deliveries.find(({ id }) => id === headers["webhook-id"]);
  if (delivery === undefined) {
    around.fail("told-what-is-not", `${url} was told ${body}`);
    return undefined;
  }
  const { target, type, subject } = delivery;
  if (!around.webhookHistory.isSettled(target)) return delivery;
  const webhook = webhooks.get(target);
  if (webhook?.isOn !== true || webhook.url !== url)
    around.fail(
      "told-elsewhere",
      `${url} was told ${type} of ${subject}; its webhook is ${webhook?.url}`,
    );
  else if (!around.hasJumped()) {
    const secrets = around.webhookHistory.secretsOf(webhook, around.now());
    if (!secrets.every((secret) => isSigned(secret, request)))
      around.fail("not-signed", `${url} cannot verify ${type} of ${subject}`);
  }
  if (!isTrue(delivery, body, refunds))
    around.fail("message-wrong", `${type} of ${subject}: ${body}`);
  return delivery;
}

/** Verifies a message as a receiver does. */
function isSigned(secret: string, { body, headers }: PostRequest): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
}

/** Whether the body is of the documented form, of this subject, and names the right amount. */
function isTrue(
  { type, subject }: CommittedDelivery,
  body: string,
  refunds: State["refunds"],
): boolean {
  if (!isWebhookEventType(type)) return false;
  const { data } = z.safeDecode(webhookPayloadSchema(type), JSON.parse(body));
  if (data === undefined) return false;
  const facts = Object(data.data);
  if (type.startsWith("order.") && Reflect.get(facts, "order_id") !== subject) return false;
  if (type !== "order.refunded") return true;
  const refund = refunds.find(({ id }) => id === Reflect.get(facts, "refund_id"));
  return refund !== undefined && refund.cents === Reflect.get(facts, "amount");
}
