import * as z from "zod/mini";
import { fromOpaqueText, storableText, toOpaqueText } from "./opaque-text.ts";

/** What identifies a payment issue: its loan, its order ("" for none) and its kind. */
export interface IssueKey {
  readonly loanId: string;
  readonly orderId: string;
  readonly kind: string;
}

const keySchema = z.tuple([storableText, storableText, storableText]);

/**
 * The id of a payment issue in the API: letters, digits, dashes and underscores. {@link keyOfIssue}
 * is the inverse.
 */
export function idOfIssue({ loanId, orderId, kind }: IssueKey): string {
  return toOpaqueText([loanId, orderId, kind]);
}

/** Reads the id of a payment issue; `undefined` if the text is no such id. */
export function keyOfIssue(id: string): IssueKey | undefined {
  const key = fromOpaqueText(id, keySchema);
  if (key === undefined) return undefined;
  const [loanId, orderId, kind] = key;
  return { loanId, orderId, kind };
}
