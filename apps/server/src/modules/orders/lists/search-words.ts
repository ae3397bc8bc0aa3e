import { type CheckoutForm, fieldText, parseOrderNumber, withoutInvisible } from "@keepsats/domain";

/** Letters that Unicode does not decompose into a base letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
const specialLetter = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g");
const accents = /\p{M}+/gu;
/** A run of letters or a run of digits. */
const word = /\p{L}+|\p{N}+/gu;

/** Longer words are cut, in orders and in searches. */
const MAX_WORD_LENGTH = 64;

/**
 * Splits a text into normalized words: {@link withoutInvisible}, lower case, without accents, each
 * once. Runs of digits are words of their own. Example: `"Müller, ada15@example.org"` → `["muller",
 * "ada", "15", "example", "org"]`.
 */
export function wordsOf(text: string): string[] {
  const plain = withoutInvisible(text)
    .normalize("NFKD")
    .replace(accents, "")
    .toLowerCase()
    .replace(specialLetter, (letter) => plainLetters[letter] ?? letter);
  return [
    ...new Set(
      // A cut may leave half of a surrogate pair, which PostgreSQL refuses.
      Array.from(plain.matchAll(word), ([found]) => found.slice(0, MAX_WORD_LENGTH).toWellFormed()),
    ),
  ];
}

/**
 * The words of an order, as stored in its column: with a blank before each, so that the text
 * contains `" ada"` if a word begins with `ada`.
 */
export function wordsColumn({
  customer_name,
  customer_email,
  items,
}: Pick<CheckoutForm, "customer_name" | "customer_email"> & {
  readonly items: readonly { readonly id: string; readonly name: string }[];
}): string {
  const texts = [customer_name, customer_email, ...items.flatMap(({ name, id }) => [name, id])];
  return wordsOf(texts.join(" "))
    .map((word) => ` ${word}`)
    .join("");
}

/** A search text. An order matches by its id, its number or its words. */
export interface SearchedText {
  /** The order has a word with each of these prefixes. If empty, no order matches by its words. */
  readonly words: readonly string[];
  /** A prefix of the order's id. */
  readonly idPrefix?: string | undefined;
  /** The digits of an order number. */
  readonly number?: number | undefined;
}

/**
 * For staff who may not see email addresses: with prefixes of words, they could guess an address
 * letter by letter.
 */
export function withoutWords(text: SearchedText): SearchedText {
  return { ...text, words: [] };
}

/** Short texts without a digit are more likely names, such as `Ada`. */
const idPrefix = /^(?=.{8}|.*\d)[0-9a-f][0-9a-f-]{3,35}$/;

/**
 * Parses a search text: words, an order number, and a prefix of an id of 4 or more characters, with
 * or without the `#` that precedes ids on screens.
 */
export function searchedText(text: string): SearchedText {
  const id = fieldText(text).replace(/^#/, "").toLowerCase();
  return {
    words: wordsOf(text),
    idPrefix: idPrefix.test(id) ? id : undefined,
    number: parseOrderNumber(id),
  };
}
