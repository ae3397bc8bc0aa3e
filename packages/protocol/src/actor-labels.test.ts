import { expect, test } from "vitest";
import { actorLabel } from "./actor-labels.ts";

test("the author of a change is named", () => {
  expect(actorLabel({ by: "staff", by_name: "Ada" })).toBe("Ada");
  expect(actorLabel({ by: "provider", by_name: null })).toBe("the loan provider");
  expect(actorLabel({ by: "robot", by_name: null })).toBe("robot");
  expect(actorLabel({ by: "constructor", by_name: null })).toBe("constructor");
});
