import type { Refusal } from "../http/refusal.ts";
import { type Limit, network, type Rule } from "../limits/limit.ts";
import { DAY, MINUTE } from "../limits/windows.ts";
import { hashOf } from "../staff/secret.ts";

/** Counts a request for an emailed link. @returns `undefined` when it is allowed, else the seconds until the next one is */
export type EmailLimit = (client: string, email: string) => Promise<number | undefined>;

const BY_CLIENT = { kind: "desk-emails", most: 10, within: 10 * MINUTE } as const;
/** Links live ten minutes: a stranger who asks for all those of an address within that time leaves it links that work. */
const TO_ADDRESS = { kind: "desk-email-address", most: 3, within: 10 * MINUTE } as const;
/** To one address for one network: a stranger who asks all day does not keep the person who has the address from asking. */
const DAILY = { kind: "desk-email-address-daily", most: 30, within: DAY } as const;

/** Creates the rate limit of emailed links. It counts unknown addresses too, so it does not tell them apart. */
export function createEmailLimit(limited: (...rules: Rule<Refusal>[]) => Limit): EmailLimit {
  const [byClient, toAddress, daily] = [limited(BY_CLIENT), limited(TO_ADDRESS), limited(DAILY)];
  return async (client, email) => {
    const address = email.toLowerCase();
    // `toAddress` comes last: it counts only requests that send a link.
    return (
      (await byClient(client)) ??
      (await daily(hashOf(`${address} ${network(client)}`))) ??
      (await toAddress(hashOf(address)))
    );
  };
}
