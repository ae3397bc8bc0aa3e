import { expect, test } from "vitest";
import { historyStep, leavingPath } from "./leave-guard.ts";

test.for([
  ["the entry before", { idx: 3 }, { idx: 2 }, -1],
  ["several entries before", { idx: 3 }, { idx: 0 }, -3],
  ["the entry after", { idx: 3, usr: null }, { idx: 4, usr: null }, 1],
] as const)("a step to %s is counted", ([, from, to, step]) => {
  expect(historyStep(from, to)).toBe(step);
});

test("a step from or to an entry that the router did not create is unknown", () => {
  expect(historyStep(null, { idx: 2 })).toBeUndefined();
  expect(historyStep({ idx: 2 }, null)).toBeUndefined();
  expect(historyStep({ idx: 2 }, { idx: 2 })).toBeUndefined();
});

const here = "https://admin.example/settings";
const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
const link = { href: "https://admin.example/orders?q=ada", target: "", download: "" };

test("a plain click on a link to another screen leaves the screen", () => {
  expect(leavingPath(plain, link, here)).toBe("/orders?q=ada");
});

test.for([
  ["an anchor of the same screen", plain, { ...link, href: `${here}#main` }],
  ["another tab, by its target", plain, { ...link, target: "_blank" }],
  ["another tab, by a modifier key", { ...plain, ctrlKey: true }, link],
  ["a file", plain, { ...link, download: "orders.csv" }],
  // The browser asks itself.
  ["another site", plain, { ...link, href: "https://shop.example/" }],
] as const)("a link to %s does not leave the screen", ([, click, clicked]) => {
  expect(leavingPath(click, clicked, here)).toBeUndefined();
});
