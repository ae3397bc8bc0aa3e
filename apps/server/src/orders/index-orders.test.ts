import { expect, test } from "vitest";
import { pauseAfter } from "./index-orders.ts";

test("the index rests long after changes, shorter after orders from before an upgrade, and never for minutes", () => {
  expect(pauseAfter("changes", 8)).toBe(392);
  expect(pauseAfter("stored", 8)).toBe(72);
  expect(pauseAfter("changes", 3_000), "after a transaction that waited for a lock").toBe(5_000);
});
