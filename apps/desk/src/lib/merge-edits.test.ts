import { ApiError } from "@keepsats/client";
import type { ProblemCode } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { afterSaving, mergeEdits, saveEdits } from "./merge-edits.ts";

interface Values {
  readonly name: string;
  readonly contact: string;
  readonly terms: string;
}

const before: Values = { name: "Corner Shop", contact: "help@shop.example", terms: "" };
const typed: Values = { ...before, name: "Corner" };

test("typing back what is stored leaves nothing to save", () => {
  const versions = { loaded: before, stored: before, typed: { ...typed, name: "Corner Shop" } };
  expect(mergeEdits(versions).edited).toEqual([]);
});

test("a field that is not edited follows what is stored, and is not saved", () => {
  const stored = { ...before, contact: "ada@shop.example" };
  const merged = mergeEdits({ loaded: before, stored, typed });
  expect(merged.typed).toEqual({ ...stored, name: "Corner" });
  expect(merged).toMatchObject({ edited: ["name"], conflicts: [] });
});

test("an edited field whose stored value changes is a conflict until a version is chosen", () => {
  const stored = { ...before, name: "Round Shop" };
  const merged = mergeEdits({ loaded: before, stored, typed: { ...typed, name: "Corner!" } });
  expect(merged).toMatchObject({ conflicts: ["name"], typed: { name: "Corner!" } });
  expect(mergeEdits({ loaded: stored, stored, typed })).toMatchObject({
    conflicts: [],
    edited: ["name"],
  });
});

test("a change to the typed value is no conflict, and leaves nothing to save", () => {
  const merged = mergeEdits({ loaded: before, stored: typed, typed });
  expect(merged).toEqual({ loaded: typed, typed, edited: [], conflicts: [] });
});

test("edits made during a save stay without a conflict, and the saved value may be stored trimmed", () => {
  const sent = { ...before, name: "Corner ", contact: "ada@shop.example" };
  const stored = { ...before, name: "Corner", contact: "ada@shop.example" };
  const typedOn = { ...sent, contact: "ada@shop.example.org", terms: "None." };
  const loaded = afterSaving({ loaded: before, stored, typed: typedOn }, sent);
  const left = mergeEdits({ loaded, stored, typed: typedOn });
  expect(left).toMatchObject({ edited: ["contact", "terms"], conflicts: [] });
  expect(left.typed.name).toBe("Corner");
});

/** A shop in which others make one of `changes` right before each write. */
function shopWith(changes: readonly Partial<Values>[], refusal: ProblemCode = "settings_changed") {
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
  loaded: before,
  typed,
};

test("changes of others to other fields at the moment of saving are kept", async () => {
  const shop = shopWith([{ contact: "ada@shop.example" }, { terms: "None." }]);
  const now = { name: "Corner", contact: "ada@shop.example", terms: "None." };
  expect(await saveEdits(shop, edits)).toEqual(now);
  expect(shop.values()).toEqual(now);
  expect(shop.writes).toEqual([{ name: "Corner" }, { name: "Corner" }, { name: "Corner" }]);
});

test("a change of others to the same field at the moment of saving is kept and stops the save", async () => {
  const shop = shopWith([{ name: "Round Shop" }]);
  expect(await saveEdits(shop, edits)).toBeUndefined();
  expect(shop.values().name).toBe("Round Shop");
  expect(shop.writes).toHaveLength(1);
});

test("a save that is refused five times fails, and after any other refusal it fails at once", async () => {
  const busy = shopWith(Array.from({ length: 9 }, (_, at) => ({ terms: `${at}` })));
  await expect(saveEdits(busy, edits)).rejects.toMatchObject({
    problem: { code: "settings_changed" },
  });
  expect(busy.writes).toHaveLength(5);
  const away = shopWith([{ terms: "None." }], "unavailable");
  await expect(saveEdits(away, edits)).rejects.toMatchObject({ problem: { code: "unavailable" } });
  expect(away.writes).toHaveLength(1);
});

test("a save whose answer was lost is not sent again", async () => {
  const shop = shopWith([]);
  expect(await saveEdits(shop, { ...edits, record: typed })).toBe(typed);
  expect(shop.writes).toEqual([]);
});
