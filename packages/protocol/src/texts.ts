import { fieldText, isEmailAddress, MAX_EMAIL_LENGTH, withoutInvisible } from "@keepsats/domain";
import * as z from "zod/mini";

/** A trimmed text of 1 to `limit` characters. */
const text = (limit: number, clean: (text: string) => string, forbidden: RegExp) =>
  z.string().check(
    z.overwrite(clean),
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !forbidden.test(text), { error: "must not have control characters" }),
    z.meta({ pattern: "\\S" }),
  );

/**
 * A text of one line, such as a name: without control characters, trimmed and
 * {@link withoutInvisible}, 1 to `limit` characters long. Only for requests: the schema changes a
 * text also when it encodes it, so an answer would not show what is stored.
 */
export const singleLine = (limit: number) => text(limit, withoutInvisible, /[\p{Cc}\p{Cs}]/u);

/**
 * A text of one or more lines, trimmed, 1 to `limit` characters long; a line ends with `\n`. It
 * keeps the characters that {@link withoutInvisible} removes: texts in several scripts need them,
 * and a block of text disguises nothing beside it.
 */
export const multiLine = (limit: number) =>
  text(limit, (typed) => typed.replaceAll(/\r\n?/g, "\n"), /[^\P{Cc}\n\t]|\p{Cs}/u);

/** One email address that the shop can send to. */
export const emailAddress = () =>
  z
    .string()
    .check(
      z.overwrite(fieldText),
      z.maxLength(MAX_EMAIL_LENGTH),
      z.refine(isEmailAddress, { error: "must be an email address" }),
      z.meta({ format: "idn-email" }),
    );

/** A text sent back as it was read. It is only compared, so it may exceed the limits of requests. */
export const expectedText = z.string().check(z.maxLength(10_000));
