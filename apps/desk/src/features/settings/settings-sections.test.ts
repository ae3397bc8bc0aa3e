import { expect, test } from "vitest";
import { groupsFor, sectionAt, sectionPath } from "./settings-sections.ts";

test("a section is found by its address, also with a slash at the end", () => {
  expect(sectionAt("/settings")?.label).toBe("Shop");
  expect(sectionAt("/settings/")?.label).toBe("Shop");
  expect(sectionAt("/settings/mail")?.label).toBe("Email");
  expect(sectionAt("/settings/mail/")?.label).toBe("Email");
});

test("no section has an unknown address", () => {
  expect(sectionAt("/settings/nothing")).toBeUndefined();
});

const labelsFor = (role: "owner" | "staff") =>
  groupsFor(role).map(({ title, sections }) => [title, ...sections.map(({ label }) => label)]);

test("owners have all sections, those for developers apart", () => {
  expect(labelsFor("owner")).toEqual([
    [undefined, "Shop", "Email", "Staff", "Sessions"],
    ["For developers", "Webhooks", "API tokens", "Machine"],
  ]);
});

test("staff have the sections that they can use, and no empty group", () => {
  expect(labelsFor("staff")).toEqual([[undefined, "Email", "Sessions"]]);
});

test("a section is found at its own address", () => {
  for (const section of groupsFor("owner").flatMap(({ sections }) => sections))
    expect(sectionAt(sectionPath(section))).toBe(section);
});
