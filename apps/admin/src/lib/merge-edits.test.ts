import { ApiError } from "@keepsats/client";
import type { ProblemCode } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { afterSaving, mergeEdits, saveEdits } from "./merge-edits.ts";

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

/** A store in which a colleague makes one of `changes` right before each write. */
function storeWith(changes: readonly Partial<Values>[], refusal: ProblemCode = "settings_changed") {
  let values = before;
  const writes: Partial<Values>[] = [];
  async function write(patch: Partial<Values>, seen: Values): Promise<Values> {
    const isCurrent = changes[writes.length] === undefined && seen === values;
    values = { ...values, ...changes[writes.length] };
    writes.push(patch);
    if (!isCurrent)
      throw new ApiError("refused", {
        status: 409,
        problem: { title: "", status: 409, code: refusal },
      });
    values = { ...values, ...patch };
    return values;
  }
  return { write, read: async () => values, values: () => values, writes };
}
const edits = {
  record: before,
  valuesOf: (values: Values) => values,
  output: typed,
  base: before,
  typed,
};

test("changes by a colleague to other fields during the save are kept", async () => {
  const store = storeWith([{ contact: "ada@store.example" }, { terms: "None." }]);
  const now = { name: "Corner", contact: "ada@store.example", terms: "None." };
  expect(await saveEdits(store, edits)).toEqual(now);
  expect(store.values()).toEqual(now);
  expect(store.writes).toEqual([{ name: "Corner" }, { name: "Corner" }, { name: "Corner" }]);
});

test("a change by a colleague to the same field during the save stops the save", async () => {
  const store = storeWith([{ name: "Round Shop" }]);
  expect(await saveEdits(store, edits)).toBeUndefined();
  expect(store.values().name).toBe("Round Shop");
  expect(store.writes).toHaveLength(1);
});

test("a save fails after five refusals for a changed record, and after any other refusal immediately", async () => {
  const busy = storeWith(Array.from({ length: 9 }, (_, at) => ({ terms: `${at}` })));
  await expect(saveEdits(busy, edits)).rejects.toMatchObject({
    problem: { code: "settings_changed" },
  });
  expect(busy.writes).toHaveLength(5);
  const away = storeWith([{ terms: "None." }], "unavailable");
  await expect(saveEdits(away, edits)).rejects.toMatchObject({ problem: { code: "unavailable" } });
  expect(away.writes).toHaveLength(1);
});

test("a save whose answer was lost is not sent again", async () => {
  const store = storeWith([]);
  expect(await saveEdits(store, { ...edits, record: typed })).toBe(typed);
  expect(store.writes).toEqual([]);
});
