import { expect, test } from "vitest";
import * as z from "zod/mini";
import { emailAddress, multiLine, singleLine } from "./texts.ts";

test("invisible characters of a text of one line are removed, and do not count", () => {
  expect(z.parse(singleLine(3), "\u202e \u200bM\u2066ug\u2069\ufeff ")).toBe("Mug");
});

test.each(["", " ", "\u200b\u202e", "Mugs", "M\ng", "M\u0007"])(
  "%j is not a text of one line of up to 3 characters",
  (text) => {
    expect(singleLine(3).safeParse(text).success).toBe(false);
  },
);

test("a text of several lines keeps the direction of its parts", () => {
  const text = "Tea\n\u2067שלום\u2069";
  expect(z.parse(multiLine(100), text)).toBe(text);
});

test("an email address loses its invisible characters", () => {
  expect(z.parse(emailAddress(), "\u202a ada@mail.example \u202c")).toBe("ada@mail.example");
});

test.each(["", "ada", "ada@mail.example, eve@mail.example", `${"a".repeat(250)}@mail.example`])(
  "%j is not an email address",
  (text) => {
    expect(emailAddress().safeParse(text).success).toBe(false);
  },
);
