import { expect, test } from "vitest";
import { byWords } from "./order-words.ts";

test("who made a change is named if they have a name", () => {
  expect(byWords({ by: "merchant", by_name: "Ada" })).toBe("Ada");
  expect(byWords({ by: "provider", by_name: null })).toBe("the lender");
  expect(byWords({ by: "somebody new", by_name: null })).toBe("somebody new");
});
