import * as z from "zod/mini";

/** A text without control characters, trimmed, 1 to `limit` characters long. */
export const printable = (limit: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "must not have control characters" }),
  );

/** A text of one or more lines, trimmed, 1 to `limit` characters long; a line ends with `\n`. */
export const lines = (limit: number) =>
  z.string().check(
    z.overwrite((text) => text.replaceAll(/\r\n?/g, "\n")),
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text), { error: "must not have control characters" }),
  );
