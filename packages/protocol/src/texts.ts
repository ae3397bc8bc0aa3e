import { fieldText, isEmailAddress, MAX_EMAIL_LENGTH, withoutInvisible } from "@keepsats/domain";
import * as z from "zod/mini";

/**
 * A text of one line, such as a name: without control characters, trimmed and
 * {@link withoutInvisible}, 1 to `limit` characters long. Only for requests: the schema changes a
 * text also when it encodes it, so an answer would not show what is stored.
 */
export const singleLine = (limit: number) =>
  z.string().check(
    z.overwrite(withoutInvisible),
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), {
      error: "must not have control characters",
    }),
    z.meta({ pattern: "\\S" }),
  );

/**
 * A text of one or more lines, trimmed, 1 to `limit` characters long; a line ends with `\n`. It
 * keeps the characters that {@link withoutInvisible} removes: texts in several scripts need them,
 * and a block of text disguises nothing beside it.
 */
export const multiLine = (limit: number) =>
  z.string().check(
    z.overwrite((text) => text.replaceAll(/\r\n?/g, "\n")),
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text), {
      error: "must not have control characters",
    }),
    z.meta({ pattern: "\\S" }),
  );

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
export const readText = z.string().check(z.maxLength(10_000));
