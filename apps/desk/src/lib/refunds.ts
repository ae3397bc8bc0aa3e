import { type Cents, centsFromAmount, decimalFromCents } from "@keepsats/domain";
import { refundRequestSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import { emptyAs } from "./form.ts";

/** The fields of a form about a refund; the amount may have a dollar sign, and commas. */
export const refundShape = {
  amount: z.pipe(
    z.string(),
    z.transform((text: string, context): Cents => {
      const cents = centsFromAmount(text.replace(/[$\s]|,(?=\d{3}(\D|$))/g, ""));
      if (cents !== undefined && cents > 0) return cents;
      const message = "Enter an amount such as 12.50";
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    }),
  ),
  method: refundRequestSchema.shape.method,
  reference: emptyAs(undefined, refundRequestSchema.shape.reference),
};

/** What the fields have at first for an amount to refund. */
export function refundValues(cents: Cents) {
  return { amount: decimalFromCents(cents), method: "bank transfer", reference: "" };
}
