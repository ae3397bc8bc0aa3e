import { expect, test } from "vitest";
import { changeEach } from "./use-bulk.ts";

test("a change that fails does not stop the others, and each outcome is reported immediately", async () => {
  const reported: string[] = [];
  const outcomes = await changeEach(
    ["a", "b", "c"].map((id) => ({ id })),
    async ({ id }) => (id === "b" ? "failed" : "made"),
    (now) => reported.push([...now.keys()].join("")),
  );
  expect(reported).toEqual(["a", "ab", "abc"]);
  expect([...outcomes.values()]).toEqual(["made", "failed", "made"]);
});
