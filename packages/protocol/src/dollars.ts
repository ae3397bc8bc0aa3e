import { centsFromDollars, dollarsFromCents } from "@keepsats/domain";
import * as z from "zod/mini";

/** An amount of money: dollars on the wire (a number with at most two decimals), whole cents once decoded. */
export const dollarsAsCents = z.codec(z.number(), z.number(), {
  decode(dollars, context) {
    const cents = centsFromDollars(dollars);
    if (cents !== undefined) return cents;
    context.issues.push({
      code: "custom",
      input: dollars,
      message: "must be an amount of dollars, 0 or more, with at most two decimals",
    });
    return z.NEVER;
  },
  encode: dollarsFromCents,
});
