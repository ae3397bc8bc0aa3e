import * as z from "zod/mini";
import { fromOpaqueText, storableText, toOpaqueText } from "./opaque-text.ts";

/** What identifies a mismatch: its loan, its order ("" for none) and its kind. */
export interface MismatchKey {
  readonly contractId: string;
  readonly orderId: string;
  readonly kind: string;
}

const keySchema = z.tuple([storableText, storableText, storableText]);

/**
 * The id of a mismatch in the API: letters, digits, dashes and underscores. {@link keyOfMismatch}
 * is the inverse.
 */
export function idOfMismatch({ contractId, orderId, kind }: MismatchKey): string {
  return toOpaqueText([contractId, orderId, kind]);
}

/** Reads the id of a mismatch; `undefined` if the text is no such id. */
export function keyOfMismatch(id: string): MismatchKey | undefined {
  const key = fromOpaqueText(id, keySchema);
  if (key === undefined) return undefined;
  const [contractId, orderId, kind] = key;
  return { contractId, orderId, kind };
}
