import { expect, test } from "vitest";
import { navigationCount } from "./navigation.tsx";

const today = { to_ship: 3, payment_issues: 120 };

test.each([
  ["/orders", today, { count: 3, label: "3 to ship" }],
  ["/payments", today, { count: 120, label: "120 need attention" }],
  ["/payments", { ...today, payment_issues: 1 }, { count: 1, label: "1 needs attention" }],
  ["/items", today, undefined],
  ["/orders", { ...today, to_ship: 0 }, undefined],
  ["/payments", { ...today, payment_issues: 0 }, undefined],
  ["/orders", undefined, undefined],
])("the entry %s with %j shows its number of tasks", (path, figures, expected) => {
  expect(navigationCount(path, figures)).toEqual(expected);
});
