import { type Cents, centsFromAmount, decimalFromCents } from "@keepsats/domain";
import type { MerchantMismatch, RefundRequest, ResolutionRequest } from "@keepsats/protocol";

/** What is typed about money that was given back. */
export interface RefundDraft {
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
}

/**
 * The amount that has to be recorded before a mismatch is resolved in this way, in cents.
 *
 * @param mismatch as it was read by itself: the list of all mismatches does not say what is still
 *   owed
 */
export function stillToRecord(
  as: ResolutionRequest["kind"],
  mismatch: Pick<MerchantMismatch, "still_owed"> | undefined,
): Cents {
  return as === "given_back" ? (mismatch?.still_owed ?? 0) : 0;
}

/** A draft that records so many cents. */
export function draftOf(cents: Cents): RefundDraft {
  return { amount: decimalFromCents(cents), method: "bank transfer", reference: "" };
}

export type ReadDraft =
  | { readonly kind: "refund"; readonly refund: RefundRequest }
  | { readonly kind: "invalid"; readonly field: keyof RefundDraft; readonly message: string };

/** Reads what was typed. The amount may have a dollar sign, and commas between thousands. */
export function readDraft({ amount, method, reference }: RefundDraft): ReadDraft {
  const cents = centsFromAmount(amount.replace(/[$\s]|,(?=\d{3}(\D|$))/g, ""));
  if (cents === undefined || cents <= 0)
    return { kind: "invalid", field: "amount", message: "is not an amount such as 12.50" };
  if (method.trim() === "")
    return {
      kind: "invalid",
      field: "method",
      message: "says how it was given back, such as bank transfer",
    };
  const named = reference.trim() === "" ? {} : { reference: reference.trim() };
  return { kind: "refund", refund: { amount: cents, method: method.trim(), ...named } };
}
