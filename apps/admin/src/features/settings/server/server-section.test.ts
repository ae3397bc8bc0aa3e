import { expect, test } from "vitest";
import { valueLabel } from "./server-section.tsx";

test.for([
  [{ value: "3000", secret: false, set: true }, "3000"],
  [{ value: "", secret: false, set: true }, "empty"],
  [{ value: null, secret: true, set: true }, "set (secret)"],
  [{ value: null, secret: true, set: false }, "not set"],
  [{ value: null, secret: false, set: false }, "not set"],
] as const)("%o is shown as %s", ([setting, label]) => {
  expect(valueLabel({ name: "PORT", ...setting })).toBe(label);
});
