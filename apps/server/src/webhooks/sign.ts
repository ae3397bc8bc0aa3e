import type { WebhookRow } from "./webhook-repository.ts";

interface Message {
  readonly id: string;
  readonly body: string;
  /** When it is sent, in epoch milliseconds. */
  readonly at: number;
}

/**
 * The headers that identify and sign a message, as Standard Webhooks says; with both secrets while
 * one is being changed. The library is loaded when the first message is signed.
 */
export async function signatureHeaders(
  { secret, old_secret, old_secret_until }: WebhookRow,
  { id, body, at }: Message,
): Promise<Record<string, string>> {
  const { Webhook: Signer } = await import("standardwebhooks");
  const secrets = [secret];
  if (old_secret !== null && (old_secret_until ?? 0) > at) secrets.push(old_secret);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": secrets
      .map((one) => new Signer(one).sign(id, new Date(at), body))
      .join(" "),
  };
}
