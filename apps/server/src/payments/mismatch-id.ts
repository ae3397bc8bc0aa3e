import * as z from "zod/mini";

/** What identifies a mismatch: its loan, its order ("" for none) and its kind. */
export interface MismatchKey {
  readonly contractId: string;
  readonly orderId: string;
  readonly kind: string;
}

/** PostgreSQL refuses a query with a zero byte. */
export const storableText = z.string().check(z.refine((text) => !text.includes("\0")));
const keySchema = z.tuple([storableText, storableText, storableText]);

/** The id of a mismatch in the API: letters, digits, dashes and underscores. {@link keyOfMismatch} is the inverse. */
export function idOfMismatch({ contractId, orderId, kind }: MismatchKey): string {
  return Buffer.from(JSON.stringify([contractId, orderId, kind])).toString("base64url");
}

/** Reads the id of a mismatch; `undefined` if the text is no such id. */
export function keyOfMismatch(id: string): MismatchKey | undefined {
  const parsed = keySchema.safeParse(parseJson(Buffer.from(id, "base64url").toString()));
  if (!parsed.success) return undefined;
  const [contractId, orderId, kind] = parsed.data;
  return { contractId, orderId, kind };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
