import { fieldText, withoutInvisible } from "@keepsats/domain";

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

/** The most characters of a word; longer ones are cut, in orders as in searches. */
const MAX_WORD_LENGTH = 64;

/**
 * The words of a text in the form in which they are compared: {@link withoutInvisible}, lower case,
 * without accents, each once. Digits are words of their own. Example: `"Müller, ada15@example.org"`
 * → `["muller", "ada", "15", "example", "org"]`.
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

/** What the words of an order are taken from. */
interface Searchable {
  readonly customer_name: string;
  readonly customer_email: string;
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/**
 * The words by which an order is found, as its column has them: with a blank before each, so that
 * the text contains `" ada"` if a word begins with `ada`.
 */
export function wordsColumn({ customer_name, customer_email, items }: Searchable): string {
  const texts = [customer_name, customer_email, ...items.flatMap(({ name, id }) => [name, id])];
  return wordsOf(texts.join(" "))
    .map((word) => ` ${word}`)
    .join("");
}

/** What a search for a text looks for. An order is found by its id or by its words. */
export interface SearchedText {
  /**
   * An order has a word that begins with each of these. Without any, no order is found by its
   * words.
   */
  readonly words: readonly string[];
  /** The order's id begins with this. */
  readonly idPrefix?: string;
}

/**
 * Hexadecimal digits and dashes that may be the beginning of an id; four letters alone are more
 * likely a name, as `Ada`.
 */
const idPrefix = /^(?=.{8}|.*\d)[0-9a-f][0-9a-f-]{3,35}$/;

/**
 * Reads a search text: words, or the beginning of an id of 4 or more characters, with or without
 * the screens' `#`.
 */
export function searchedText(text: string): SearchedText {
  const id = fieldText(text).replace(/^#/, "").toLowerCase();
  return { words: wordsOf(text), ...(idPrefix.test(id) ? { idPrefix: id } : {}) };
}
