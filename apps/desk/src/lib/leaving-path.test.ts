import { expect, test } from "vitest";
import { leavingPath } from "./leaving-path.ts";

const here = "https://desk.example/settings";
const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
const link = { href: "https://desk.example/orders?q=ada", target: "", download: "" };

test("a plain click on a link to another screen leaves", () => {
  expect(leavingPath(plain, link, here)).toBe("/orders?q=ada");
});

test.for([
  ["a place of the same screen", plain, { ...link, href: `${here}#main` }],
  ["another tab by its target", plain, { ...link, target: "_blank" }],
  ["another tab by a key", { ...plain, ctrlKey: true }, link],
  ["a file", plain, { ...link, download: "orders.csv" }],
  // The browser itself asks then.
  ["another site", plain, { ...link, href: "https://shop.example/" }],
] as const)("%s does not", ([, click, clicked]) => {
  expect(leavingPath(click, clicked, here)).toBeUndefined();
});
