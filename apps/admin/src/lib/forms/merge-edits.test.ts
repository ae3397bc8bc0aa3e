import { expect, test } from "vitest";
import { afterSaving, mergeEdits } from "./merge-edits.ts";

interface Values {
  readonly name: string;
  readonly contact: string;
  readonly terms: string;
}

const before: Values = { name: "Corner Shop", contact: "help@store.example", terms: "" };
const typed: Values = { ...before, name: "Corner" };

test("a field that is typed back to its stored value is not edited", () => {
  const versions = { base: before, stored: before, typed: { ...typed, name: "Corner Shop" } };
  expect(mergeEdits(versions).edited).toEqual([]);
});

test("a field that is not edited follows the stored value and is not saved", () => {
  const stored = { ...before, contact: "ada@store.example" };
  const merged = mergeEdits({ base: before, stored, typed });
  expect(merged.typed).toEqual({ ...stored, name: "Corner" });
  expect(merged).toMatchObject({ edited: ["name"], conflicts: [] });
});

test("an edited field whose stored value changes is a conflict until a version is chosen", () => {
  const stored = { ...before, name: "Round Shop" };
  const merged = mergeEdits({ base: before, stored, typed: { ...typed, name: "Corner!" } });
  expect(merged).toMatchObject({ conflicts: ["name"], typed: { name: "Corner!" } });
  expect(mergeEdits({ base: stored, stored, typed })).toMatchObject({
    conflicts: [],
    edited: ["name"],
  });
});

test("a stored change to the typed value is no conflict and leaves nothing to save", () => {
  const merged = mergeEdits({ base: before, stored: typed, typed });
  expect(merged).toEqual({ base: typed, typed, edited: [], conflicts: [] });
});

test("edits made during a save stay without a conflict, also if the server trims the saved value", () => {
  const sent = { ...before, name: "Corner ", contact: "ada@store.example" };
  const stored = { ...before, name: "Corner", contact: "ada@store.example" };
  const typedOn = { ...sent, contact: "ada@store.example.org", terms: "None." };
  const base = afterSaving({ base: before, stored, typed: typedOn }, sent);
  const left = mergeEdits({ base, stored, typed: typedOn });
  expect(left).toMatchObject({ edited: ["contact", "terms"], conflicts: [] });
  expect(left.typed.name).toBe("Corner");
});
