import type { Role } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { groupsFor, sectionAt, sectionPath } from "./settings-sections.ts";

test("a section is found by its address, also with a trailing slash", () => {
  expect(sectionAt("/settings")?.label).toBe("Shop");
  expect(sectionAt("/settings/")?.label).toBe("Shop");
  expect(sectionAt("/settings/email")?.label).toBe("Email");
  expect(sectionAt("/settings/email/")?.label).toBe("Email");
});

test("an unknown address has no section", () => {
  expect(sectionAt("/settings/nothing")).toBeUndefined();
});

const labelsFor = (role: Role) =>
  groupsFor(role).map(({ title, sections }) => [title, ...sections.map(({ label }) => label)]);

test("owners have all sections, with those for developers in a group", () => {
  expect(labelsFor("owner")).toEqual([
    [undefined, "Shop", "Email", "Staff", "Sessions"],
    ["For developers", "Webhooks", "API tokens", "Server settings"],
  ]);
});

test("staff have the sections that their role permits, without empty groups", () => {
  expect(labelsFor("staff")).toEqual([[undefined, "Email", "Sessions"]]);
  expect(labelsFor("packer")).toEqual([[undefined, "Sessions"]]);
});

test("a section is found at its own address", () => {
  for (const section of groupsFor("owner").flatMap(({ sections }) => sections))
    expect(sectionAt(sectionPath(section))).toBe(section);
});
