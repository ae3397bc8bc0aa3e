import type { Cents } from "@keepsats/domain";
import type { OrderLine } from "@keepsats/protocol";
import type { EmailPictures } from "./email-pictures.ts";

/** An email before it is rendered; all texts are plain text. */
export interface Email {
  /** Never contains text that a customer typed. */
  readonly subject: string;
  /** The heading. */
  readonly title: string;
  readonly blocks: readonly Block[];
  /** A note in small print at the end. */
  readonly note?: string | undefined;
  /** Anyone can have an email about an unpaid order sent to any address. */
  readonly isAboutUnpaid?: boolean;
}

export type Block =
  /** A paragraph; line breaks are kept. */
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "items";
      readonly items: readonly OrderLine[];
      /** 0 for free delivery. */
      readonly shipping: Cents;
      readonly total: Cents;
    }
  /** A table of labels and values, such as the tracking number. */
  | {
      readonly kind: "key-values";
      readonly pairs: readonly (readonly [label: string, value: string])[];
    }
  /** `isMain`: looks like a button. */
  | {
      readonly kind: "link";
      readonly label: string;
      readonly url: string;
      readonly isMain: boolean;
    };

export function text(sentences: string): Block {
  return { kind: "text", text: sentences };
}

export function keyValues(...pairs: readonly (readonly [string, string])[]): Block {
  return { kind: "key-values", pairs };
}

/** A link that looks like a button. */
export function button(label: string, url: string): Block {
  return { kind: "link", label, url, isMain: true };
}

/** The shop's part of every email. */
export interface Look {
  readonly shopName: string;
  /** The shop's accent colour, such as `#f7931a`. */
  readonly accent: string;
  readonly greeting: string;
  readonly signature: string;
  readonly pictures: EmailPictures;
}

const ZERO_WIDTH_SPACE = "\u200b";

/**
 * Makes a text that a stranger typed safe to show in an email. Mail programs turn texts such as
 * `evil.example` into links, and anyone can have an email sent to any address. A zero-width space
 * after each character that makes a text look like an address prevents that.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll(/[.:/@\\](?=\S)/gu, (mark) => mark + ZERO_WIDTH_SPACE);
}
