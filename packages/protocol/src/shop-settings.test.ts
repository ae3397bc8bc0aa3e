import { expect, test } from "vitest";
import { shopSettingsPatchSchema } from "./shop-settings.ts";

const parse = (patch: object) => shopSettingsPatchSchema.safeParse(patch);

test.each([
  ["#F7931A", "#f7931a"],
  ["#ffffff", "#ffffff"],
  ["#3aa6ff", "#3aa6ff"],
  ["#B30000", "#b30000"],
])("the accent %s is stored as %s", (accent, stored) => {
  expect(parse({ accent }).data).toEqual({ accent: stored });
});

test.each(["f7931a", "#f93", "#f7931a80", "orange", "rgb(1,2,3)", "#ffffff;}", null, ""])(
  "%j is not an accent",
  (accent) => {
    expect(parse({ accent }).success).toBe(false);
  },
);

test("a pasted contact loses its invisible characters", () => {
  expect(parse({ contact: "\u202a help@shop.example \u202c" }).data).toEqual({
    contact: "help@shop.example",
  });
});

test("a text keeps its line breaks, as \\n, and its HTML as it is written", () => {
  const terms = " One <b>bold</b> line\r\n\r\n\tTwo & more\r ";
  expect(parse({ terms }).data).toEqual({ terms: "One <b>bold</b> line\n\n\tTwo & more" });
});

test.each([
  { terms: "" },
  { terms: " \n " },
  { terms: "a\u0000b" },
  { terms: "a\u001b[2Jb" },
  { terms: "\ud800" },
  { terms: "x".repeat(20_001) },
  { name: "" },
  { name: "two\nlines" },
  { name: "x".repeat(61) },
  { name: null },
  { greeting: "two\nlines" },
  { signature: "x".repeat(1_001) },
  { contact: "no address" },
  { contact: "javascript:alert(1)" },
  { contact: "a@b.example?bcc=eve@evil.example" },
  { contact: "a@b.example?subject=x" },
  { contact: "a@b.example,c@d.example" },
  { contact: "a@b.example/x" },
  { contact: "a@b%2eexample.com" },
  { contact: "https://" },
  { logo: "http://cdn.example/logo.svg" },
  { logo: "//evil.example/logo.svg" },
  { logo: "javascript:alert(1)" },
  { colour: "#ffffff" },
  { name: 7 },
  { return_days: "-1" },
  { vat_rate: "0" },
  { vat_rate: "100.01" },
  { vat_rate: "19,5" },
  { return_days: "366" },
  { return_days: "1.5" },
  { return_days: "" },
  { return_days: 30 },
])("%j is refused", (patch) => {
  expect(parse(patch).success).toBe(false);
});

test.each([
  { contact: "help@shop.example" },
  { contact: "a+b%c?d@example.org" },
  { contact: "https://shop.example/help" },
  { contact: null },
  { logo: "/pictures/logo.svg" },
  { logo: "https://cdn.example/logo.svg" },
  { logo: null },
  { privacy: null },
  { return_days: "0" },
  { return_days: "365" },
  { signature: "Yours,\nthe shop" },
  {},
])("%j is accepted", (patch) => {
  expect(parse(patch).data).toEqual(patch);
});
