import * as z from "zod/mini";

const placeSchema = z.tuple([z.int(), z.string(), z.string(), z.string()]);

/** Where a mismatch stands on the list of all; `seenAt` in epoch milliseconds, `orderId` empty where there is none. */
export interface MismatchPlace {
  readonly seenAt: number;
  readonly contractId: string;
  readonly orderId: string;
  readonly kind: string;
}

/** A place as a cursor: a text of letters, digits, dashes and underscores that means nothing to others. */
export function encodePlace({ seenAt, contractId, orderId, kind }: MismatchPlace): string {
  return Buffer.from(JSON.stringify([seenAt, contractId, orderId, kind])).toString("base64url");
}

/** The place that a cursor stands for; `undefined` where it is none of ours. */
export function decodePlace(cursor: string): MismatchPlace | undefined {
  try {
    const parsed = placeSchema.safeParse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    if (!parsed.success) return undefined;
    const [seenAt, contractId, orderId, kind] = parsed.data;
    return { seenAt, contractId, orderId, kind };
  } catch {
    return undefined;
  }
}
