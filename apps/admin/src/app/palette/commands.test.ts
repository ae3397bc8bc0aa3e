import type { Role } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { commandsFor, foundCommands } from "./commands.ts";

const labelsFor = (role: Role, text = "") =>
  foundCommands(commandsFor(role), text).flatMap(({ items }) => items.map(({ label }) => label));

test("the palette has only the screens and actions that the role permits", () => {
  expect(labelsFor("owner")).toEqual(
    expect.arrayContaining(["Today", "Settings: Webhooks", "Add an item", "Sign out"]),
  );
  const staff = labelsFor("staff");
  expect(staff).toEqual(expect.arrayContaining(["Settings: Sessions", "Open returns"]));
  expect(staff).not.toContain("Settings: Webhooks");
  const packer = labelsFor("packer");
  expect(packer).toEqual(expect.arrayContaining(["Orders", "Orders to ship"]));
  expect(packer.filter((label) => /item|export|today|payments|returns/i.test(label))).toEqual([]);
});

test("a role without permissions has only the actions that need none", () => {
  const unknown = JSON.parse('"unknown"');
  expect(labelsFor(unknown)).toEqual(["View shop", "List the keys of this screen", "Sign out"]);
});

test("commands are found by all words of the text, in any order and case", () => {
  expect(labelsFor("owner", "csv ORD")).toEqual(["Export orders as CSV"]);
  expect(labelsFor("owner", " ship ")).toEqual(["Orders to ship"]);
  expect(labelsFor("owner", "K-10023")).toEqual([]);
});

test("each command has its own id", () => {
  const ids = commandsFor("owner").flatMap(({ items }) => items.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
