import type { Shop } from "./shop.ts";
import { waitFor } from "./wait-for.ts";

/** An email that has arrived. */
export interface Email {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
}

/** Where the merchant gets email: the sender of the shop's own emails. */
const MERCHANT = "orders@shop.example";

/** The emails of a shop that sends them, oldest first, once none waits to be sent. */
export function emailsOf(shop: Shop) {
  async function sentTo(address: string): Promise<Email[]> {
    const { db } = shop.database;
    const waiting = db
      .selectFrom("outbox")
      .select("id")
      .where("state", "=", "waiting")
      .where("channel", "in", ["email-customer", "email-merchant"]);
    await waitFor("all emails to be sent", async () => (await waiting.execute()).length === 0);
    return shop.sandbox.emails().filter(({ recipient }) => recipient === address);
  }
  return {
    emailsTo: ({ email }: { readonly email: string }) => sentTo(email),
    emailsToMerchant: () => sentTo(MERCHANT),
  };
}

/** The sentences of an email, its subject first. */
function sentencesOf({ subject, text }: Email): string[] {
  return [subject, ...text.split(/(?<=[.!?])\s+|\n+/)];
}

/** The amounts in the sentences of emails that match, such as `$12.00`, each once. */
export function amountsIn(emails: readonly Email[], sentence: RegExp): string[] {
  const matching = emails.flatMap(sentencesOf).filter((text) => sentence.test(text));
  return [...new Set(matching.flatMap((text) => text.match(/\$[\d,]+\.\d\d/g) ?? []))];
}

/** A sentence about a refund. */
export const aboutRefunds = /refund/i;
