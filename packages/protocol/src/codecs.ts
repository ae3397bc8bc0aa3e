import {
  amountFromCents,
  type Cents,
  centsFromAmount,
  MAX_VAT_RATE,
  percentFromVatRate,
  shopCurrency,
  type VatRate,
  vatRateFromPercent,
} from "@keepsats/domain";
import * as z from "zod/mini";

interface AmountRule {
  /** For the OpenAPI document. */
  readonly range: { readonly minimum?: number; readonly exclusiveMinimum?: number };
  readonly parse: (amount: number) => Cents | undefined;
  /** Such as `of dollars above 0 with at most two decimals`. */
  readonly description: string;
}

function amountCodec({ range, parse, description }: AmountRule) {
  return z.codec(z.number().check(z.meta(range)), z.number(), {
    decode(amount, context): Cents {
      const cents = parse(amount);
      if (cents !== undefined) return cents;
      context.issues.push({
        code: "custom",
        input: amount,
        message: `must be an amount ${description}`,
      });
      return z.NEVER;
    },
    encode: amountFromCents,
  });
}

/**
 * An amount of money: a number such as `12.5` on the wire, with at most two decimals; whole cents
 * once decoded.
 */
export const amountAsCents = amountCodec({
  range: { minimum: 0 },
  parse: centsFromAmount,
  description: `of ${shopCurrency.plural}, 0 or more, with at most two decimals`,
});

/** Like {@link amountAsCents}, but above 0. */
export const positiveAmountAsCents = amountCodec({
  range: { exclusiveMinimum: 0 },
  parse(amount) {
    const cents = centsFromAmount(amount);
    return cents === 0 ? undefined : cents;
  },
  description: `of ${shopCurrency.plural} above 0 with at most two decimals`,
});

/** Like {@link amountAsCents}, but may be negative. */
export const signedAmountAsCents = amountCodec({
  range: {},
  parse(amount) {
    const cents = centsFromAmount(Math.abs(amount));
    return cents !== undefined && amount < 0 ? -cents : cents;
  },
  description: `of ${shopCurrency.plural} with at most two decimals`,
});

/** A VAT rate: percent such as `7.5` on the wire, basis points once decoded. */
export const percentAsVatRate = z.codec(
  z
    .number({ error: "must be a number such as 19, or null for the rate of the shop" })
    .check(z.meta({ minimum: 0, maximum: percentFromVatRate(MAX_VAT_RATE) })),
  z.number(),
  {
    decode(percent, context): VatRate {
      const rate = vatRateFromPercent(percent);
      if (rate !== undefined) return rate;
      context.issues.push({
        code: "custom",
        input: percent,
        message: "must be a percentage from 0 to 100 with at most two decimals",
      });
      return z.NEVER;
    },
    encode: percentFromVatRate,
  },
);

function secondsCodec(description: string) {
  return z.codec(z.int().check(z.meta({ description })), z.number(), {
    decode: (seconds) => seconds * 1_000,
    encode: (milliseconds) => Math.floor(milliseconds / 1_000),
  });
}

/**
 * A time: whole epoch seconds on the wire, epoch milliseconds once decoded. Encoding drops the
 * fraction of a second: `1_999` → `1`.
 */
export const secondsAsMilliseconds = secondsCodec("Seconds since 1970");

/** A duration: whole seconds on the wire, milliseconds once decoded. */
export const durationAsMilliseconds = secondsCodec("Seconds");
