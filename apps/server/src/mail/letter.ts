import type { Cents } from "@keepsats/domain";

/** A letter before it is rendered as plain text and as HTML. All texts are plain text. */
export interface Letter {
  /** The subject of the mail. Nothing that a customer typed. */
  readonly subject: string;
  /** What has happened, in large words. */
  readonly title: string;
  readonly blocks: readonly Block[];
  /** A note in small letters at the end; `undefined` for none. */
  readonly note?: string | undefined;
}

export type Block =
  /** A paragraph; line breaks are kept. */
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "items";
      readonly items: readonly LetterItem[];
      /** 0 for free delivery. */
      readonly shipping: Cents;
      readonly total: Cents;
    }
  /** Labels with their values, such as the tracking number. */
  | { readonly kind: "facts"; readonly facts: readonly (readonly [label: string, value: string])[] }
  /** A link that leads on. `isMain`: it looks like the shop's main button. */
  | {
      readonly kind: "link";
      readonly label: string;
      readonly url: string;
      readonly isMain: boolean;
    }
  /** A command to copy. */
  | { readonly kind: "command"; readonly text: string };

/** A line of an order. `total` is that of all its pieces, in cents. */
export interface LetterItem {
  readonly name: string;
  readonly quantity: number;
  readonly total: Cents;
}

/** What every letter has besides its own contents. */
export interface Look {
  readonly shopName: string;
  /** The shop's accent colour, such as `#f7931a`. */
  readonly accent: string;
  readonly greeting: string;
  readonly signature: string;
}

const ZERO_WIDTH_SPACE = "\u200b";

/**
 * A text that somebody outside of the shop typed, made safe to be shown in a letter. Mail programs
 * turn texts such as `evil.example` into links, and anybody can have a letter sent to any address.
 * An invisible break after each mark that makes a text look like an address prevents that.
 */
export function typed(text: string): string {
  return text.replaceAll(/[.:/@\\](?=\S)/gu, (mark) => mark + ZERO_WIDTH_SPACE);
}
