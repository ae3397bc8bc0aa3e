import { expect, test } from "vitest";
import { sectionAt } from "./settings-sections.ts";

test("a section is found by its address, also with a slash at the end", () => {
  expect(sectionAt("/settings")?.label).toBe("Shop");
  expect(sectionAt("/settings/")?.label).toBe("Shop");
  expect(sectionAt("/settings/mail")?.label).toBe("Mail");
  expect(sectionAt("/settings/mail/")?.label).toBe("Mail");
});

test("no section has an unknown address", () => {
  expect(sectionAt("/settings/nothing")).toBeUndefined();
});
