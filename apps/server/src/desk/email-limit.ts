import type { Refusal } from "../http/refusal.ts";
import { type Limit, network, type Rule } from "../limits/limit.ts";
import { DAY, MINUTE } from "../limits/windows.ts";
import { hashOf } from "../staff/secret.ts";

/**
 * Counts a request for an emailed link. @returns `undefined` if it is allowed, otherwise the
 * seconds to wait
 */
export type EmailLimit = (client: string, email: string) => Promise<number | undefined>;

const BY_CLIENT = { kind: "desk-emails", most: 10, within: 10 * MINUTE } as const;
/**
 * The window is the lifetime of a link, so an address whose limit a stranger used up still has
 * links that work.
 */
const TO_ADDRESS = { kind: "desk-email-address", most: 3, within: 10 * MINUTE } as const;
/** Per address and network, so that a stranger's requests do not use up the owner's limit. */
const DAILY = { kind: "desk-email-address-daily", most: 30, within: DAY } as const;

/**
 * Creates the rate limit of emailed links. It counts unknown addresses too, so it does not reveal
 * which are known.
 */
export function createEmailLimit(limited: (...rules: Rule<Refusal>[]) => Limit): EmailLimit {
  const [byClient, toAddress, daily] = [limited(BY_CLIENT), limited(TO_ADDRESS), limited(DAILY)];
  return async (client, email) => {
    const address = email.toLowerCase();
    // Checked last, because it must count only requests that send a link.
    return (
      (await byClient(client)) ??
      (await daily(hashOf(`${address} ${network(client)}`))) ??
      (await toAddress(hashOf(address)))
    );
  };
}
