import {
  amountFromCents,
  centsFromAmount,
  MAX_VAT_RATE,
  percentFromVatRate,
  shopCurrency,
  vatRateFromPercent,
} from "@keepsats/domain";
import * as z from "zod/mini";

interface NumberRule {
  /** For the OpenAPI document. */
  readonly range: {
    readonly minimum?: number;
    readonly exclusiveMinimum?: number;
    readonly maximum?: number;
  };
  /** @returns `undefined` for a number that is refused */
  readonly parse: (number: number) => number | undefined;
  readonly encode: (value: number) => number;
  /** The message of a refusal. */
  readonly message: string;
  /** The message about a value that is not a number. */
  readonly typeMessage?: string;
}

/** A number on the wire that is another number once decoded. */
export function numberCodec({ range, parse, encode, message, typeMessage }: NumberRule) {
  return z.codec(z.number(typeMessage).check(z.meta(range)), z.number(), {
    decode(number, context) {
      const value = parse(number);
      if (value !== undefined) return value;
      context.issues.push({ code: "custom", input: number, message });
      return z.NEVER;
    },
    encode,
  });
}

/**
 * An amount of money: a number such as `12.5` on the wire, with at most two decimals; whole cents
 * once decoded.
 */
export const amountAsCents = numberCodec({
  range: { minimum: 0 },
  parse: centsFromAmount,
  encode: amountFromCents,
  message: `must be an amount of ${shopCurrency.plural}, 0 or more, with at most two decimals`,
});

/** Like {@link amountAsCents}, but above 0. */
export const positiveAmountAsCents = numberCodec({
  range: { exclusiveMinimum: 0 },
  parse: (amount) => centsFromAmount(amount) || undefined,
  encode: amountFromCents,
  message: `must be an amount of ${shopCurrency.plural} above 0 with at most two decimals`,
});

/** Like {@link amountAsCents}, but may be negative. */
export const signedAmountAsCents = numberCodec({
  range: {},
  parse(amount) {
    const cents = centsFromAmount(Math.abs(amount));
    return cents !== undefined && amount < 0 ? -cents : cents;
  },
  encode: amountFromCents,
  message: `must be an amount of ${shopCurrency.plural} with at most two decimals`,
});

/** A VAT rate: percent such as `7.5` on the wire, basis points once decoded. */
export const percentAsVatRate = numberCodec({
  range: { minimum: 0, maximum: percentFromVatRate(MAX_VAT_RATE) },
  parse: vatRateFromPercent,
  encode: percentFromVatRate,
  message: "must be a percentage from 0 to 100 with at most two decimals",
  typeMessage: "must be a number such as 19, or null for the rate of the shop",
});

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

/** One of these values in an answer. It is any text, because a newer server may send another one. */
export const openEnum = (values: readonly string[]) => z.string().check(z.meta({ enum: values }));
