import { type Cents, centsFromDollars, dollarsFromCents, isPrice, MAX_PRICE } from "@keepsats/domain";
import * as z from "zod/mini";

/** Dollars on the wire (a number with at most two decimals) that are cents inside. */
export const dollarsAsCents = z.pipe(
  z.number().check(
    z.refine((dollars) => centsFromDollars(dollars) !== undefined, {
      error: "must be an amount of dollars, 0 or more, with at most two decimals",
    }),
  ),
  z.transform((dollars: number): Cents => centsFromDollars(dollars) ?? 0),
);

/** A price on the wire: dollars, from 0.01 to 1,000,000. */
export const priceInDollars = z.number().check(
  z.refine((dollars) => isPrice(centsFromDollars(dollars) ?? 0), {
    error: `must be an amount of dollars from 0.01 to ${dollarsFromCents(MAX_PRICE)} with at most two decimals`,
  }),
);
