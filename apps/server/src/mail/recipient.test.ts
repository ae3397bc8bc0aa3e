import { expect, test } from "vitest";
import { recipientOf, spellingsOf } from "./recipient.ts";

test.each([
  ["ada@mail.example", "ada@mail.example"],
  ["Ada@MAIL.Example", "Ada@mail.example"],
  ["ada@ｍail.example", "ada@mail.example"],
  ["ada@ⓜail.example", "ada@mail.example"],
  ["ada@mail。example.org", "ada@mail.example.org"],
  ["jürgen@bücher.example", "jürgen@xn--bcher-kva.example"],
  ["ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
])("mail to %s is sent to %s", (text, recipient) => {
  expect(recipientOf(text)).toBe(recipient);
  expect(recipientOf(recipient)).toBe(recipient);
});

test.each([
  "ada",
  "ada@mail.example,eve@mail.example",
  "ada@mail.example/x",
  "ada@mail.example#x",
  "ada@mail.example?bcc=eve",
  "ada@mail%2eexample.org",
  "ada@mail.example。",
  "ada@mail／x.example",
])("mail is not sent to %s", (text) => expect(recipientOf(text)).toBeUndefined());

test("an answer may name a recipient in ASCII and in the letters of its language", () => {
  expect(spellingsOf("ada@xn--bcher-kva.example")).toEqual([
    "ada@xn--bcher-kva.example",
    "ada@bücher.example",
  ]);
});
