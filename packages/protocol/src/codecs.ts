import { amountFromCents, type Cents, centsFromAmount, shopCurrency } from "@keepsats/domain";
import * as z from "zod/mini";

/**
 * An amount of money: a number such as `12.5` on the wire, with at most two decimals; whole cents
 * once decoded.
 */
export const amountAsCents = z.codec(z.number().check(z.meta({ minimum: 0 })), z.number(), {
  decode(amount, context) {
    const cents = centsFromAmount(amount);
    if (cents !== undefined) return cents;
    context.issues.push({
      code: "custom",
      input: amount,
      message: `must be an amount of ${shopCurrency.plural}, 0 or more, with at most two decimals`,
    });
    return z.NEVER;
  },
  encode: amountFromCents,
});

/** Like {@link amountAsCents}, but above 0. */
export const positiveAmountAsCents = z.codec(
  z.number().check(z.meta({ exclusiveMinimum: 0 })),
  z.number(),
  {
    decode(amount, context): Cents {
      const cents = centsFromAmount(amount);
      if (cents !== undefined && cents > 0) return cents;
      context.issues.push({
        code: "custom",
        input: amount,
        message: `must be an amount of ${shopCurrency.plural} above 0 with at most two decimals`,
      });
      return z.NEVER;
    },
    encode: amountFromCents,
  },
);

/** Like {@link amountAsCents}, but may be negative. */
export const signedAmountAsCents = z.codec(z.number(), z.number(), {
  decode(amount, context): Cents {
    const cents = centsFromAmount(Math.abs(amount));
    if (cents !== undefined) return amount < 0 ? -cents : cents;
    context.issues.push({
      code: "custom",
      input: amount,
      message: `must be an amount of ${shopCurrency.plural} with at most two decimals`,
    });
    return z.NEVER;
  },
  encode: amountFromCents,
});

/**
 * A time: whole epoch seconds on the wire, epoch milliseconds once decoded. Encoding drops the
 * fraction of a second: `1_999` → `1`.
 */
export const secondsAsMilliseconds = z.codec(
  z.int().check(z.meta({ description: "Seconds since 1970" })),
  z.number(),
  {
    decode: (seconds) => seconds * 1_000,
    encode: (milliseconds) => Math.floor(milliseconds / 1_000),
  },
);
