import { InvalidArgumentError } from "@commander-js/extra-typings";
import { centsFromAmount, shopCurrency } from "@keepsats/domain";

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

/** The shop checks the range of the number. `none` clears the field. */
export function parseNumberOrNone(value: string): number | "none" {
  if (value === "none") return value;
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError("Expected a number, or none.");
}
