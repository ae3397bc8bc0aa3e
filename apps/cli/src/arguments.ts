import { InvalidArgumentError } from "@commander-js/extra-typings";
import { centsFromAmount, shopCurrency, vatRateFromPercent } from "@keepsats/domain";
import { MAX_STOCK } from "@keepsats/protocol";

/** Arguments of `addHelpText`: an example below the help of a command. `cli.test.ts` runs each. */
export function example(line: string): ["after", string] {
  return ["after", `\nExample: npm run cli -- ${line}`];
}

/** Creates a parser that ignores case: `oneOf(orderStatuses)("pending")` is `"Pending"`. */
export function oneOf<Word extends string>(words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const known = words.find((word) => word.toLowerCase() === value.toLowerCase());
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`Expected one of ${words.join(", ")}.`);
  };
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/** @returns an amount above 0, in the unit of the API */
export function parseAmount(value: string): number {
  const amount = parseAmountOrZero(value);
  if (amount > 0) return amount;
  throw new InvalidArgumentError("Expected an amount above 0.");
}

export function parseAmountOrZero(value: string): number {
  const amount = value.replace(shopCurrency.symbol, "");
  const cents = /^\d+(?:\.\d+)?$/.test(amount) ? centsFromAmount(amount) : undefined;
  if (cents !== undefined) return Number(amount);
  throw new InvalidArgumentError("Expected an amount such as 12.50.");
}

/** @returns `none` for an item whose pieces are not counted */
export function parseStock(value: string): number | "none" {
  if (value === "none") return value;
  const stock = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (stock <= MAX_STOCK) return stock;
  throw new InvalidArgumentError(
    `Expected a whole number from 0 to ${MAX_STOCK}, or none for an item that is not counted.`,
  );
}

/** @returns percent, or `none` for an item that has the rate of the shop */
export function parseVatRate(value: string): number | "none" {
  if (value === "none") return value;
  if (vatRateFromPercent(value) !== undefined) return Number(value);
  throw new InvalidArgumentError("Expected percent from 0 to 100 such as 7.5, or none.");
}
