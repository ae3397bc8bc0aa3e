import { expect, test } from "vitest";
import { newWebhookSchema } from "./webhooks.ts";

const url = "https://books.example/hooks";
const isAccepted = (body: unknown) => newWebhookSchema.safeParse(body).success;

test("the address of a webhook is a URL without user, password and fragment", () => {
  for (const good of [
    url,
    "http://127.0.0.1:4000/",
    "https://bücher.example/?a=b",
    "HTTPS://BOOKS.EXAMPLE",
  ]) {
    expect([good, isAccepted({ url: good })]).toEqual([good, true]);
  }
  const tooLong = `${url}/${"a".repeat(2_000)}`;
  const credentials = ["https://user@books.example", "https://user:password@books.example"];
  for (const bad of [
    "",
    "books",
    "ftp://a.example",
    "javascript:x",
    "//a.example",
    `${url}#a`,
    ...credentials,
    tooLong,
  ]) {
    expect([bad, isAccepted({ url: bad })]).toEqual([bad, false]);
  }
});

test("a secret has 24 to 64 bytes", () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
  const lengths = [0, 1, 22, 23, 24, 25, 32, 63, 64, 65, 66, 1_000];
  const accepted = lengths.filter((bytes) => isAccepted({ url, secret: secretOf(bytes) }));
  expect(accepted).toEqual([24, 25, 32, 63, 64]);
  const right = secretOf(32);
  for (const bad of [
    "",
    "whsec_",
    right.slice(1),
    right.replace("=", ""),
    `${right} `,
    right.replace("_", "-"),
  ]) {
    expect([bad, isAccepted({ url, secret: bad })]).toEqual([bad, false]);
  }
});

test("events are of known types", () => {
  expect(isAccepted({ url, events: ["order.paid"] })).toBe(true);
  expect(isAccepted({ url, events: null })).toBe(true);
  for (const events of [[], ["order.unknown"], "order.paid"])
    expect(isAccepted({ url, events })).toBe(false);
});
