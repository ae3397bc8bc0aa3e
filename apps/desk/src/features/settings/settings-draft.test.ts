import { forEachField } from "@keepsats/domain";
import { type ShopSettingName, shopSettingNames } from "@keepsats/protocol";
import { expect, test } from "vitest";
import {
  afterSaving,
  checkEdits,
  type Edits,
  keepMine,
  overtakenNames,
  remainingFaults,
  type Stored,
  shownText,
  takeStored,
  withText,
} from "./settings-draft.ts";

const none: Edits = new Map();

function stored(values: Partial<Record<ShopSettingName, string>>): Stored {
  return forEachField(shopSettingNames, (name) => ({ value: values[name] ?? null }));
}

const before = stored({ name: "Corner Shop", contact: "help@shop.example" });

test("a field shows what was typed, and what is stored where nothing was typed", () => {
  const edits = withText(before, none, "name", "Corner");
  expect(shownText(before, edits, "name")).toBe("Corner");
  expect(shownText(before, edits, "contact")).toBe("help@shop.example");
  expect(shownText(before, edits, "terms")).toBe("");
});

test("typing back what is stored leaves nothing to save", () => {
  const edits = withText(before, withText(before, none, "name", "Corner"), "name", "Corner Shop");
  expect(edits.size).toBe(0);
});

test("only what was edited is saved, so a change of another setting by somebody else stays", () => {
  const edits = withText(before, none, "name", "Corner");
  const now = stored({ name: "Corner Shop", contact: "ada@shop.example" });
  expect(overtakenNames(now, edits)).toEqual([]);
  expect(checkEdits(edits)).toEqual({ kind: "right", patch: { name: "Corner" } });
});

test("a setting that somebody else has changed while it was typed is overtaken until one decides", () => {
  const edits = withText(before, none, "name", "Corner");
  const now = stored({ name: "Round Shop" });
  const typedOn = withText(now, edits, "name", "Corner!");
  expect(overtakenNames(now, typedOn)).toEqual(["name"]);
  expect(overtakenNames(now, keepMine(now, typedOn, "name"))).toEqual([]);
  expect(shownText(now, keepMine(now, typedOn, "name"), "name")).toBe("Corner!");
  expect(shownText(now, takeStored(typedOn, "name"), "name")).toBe("Round Shop");
});

test("somebody else who has typed the same overtakes nothing", () => {
  const edits = withText(before, none, "name", "Corner");
  expect(overtakenNames(stored({ name: "Corner" }), edits)).toEqual([]);
});

test("what was typed while it was saved stays, and the own change does not overtake it", () => {
  const sent = withText(before, none, "name", "Corner");
  const typedOn = withText(before, withText(before, sent, "name", "Corner 2"), "terms", "None.");
  const saved = stored({ name: "Corner" });
  const left = afterSaving(saved, typedOn, sent);
  expect([...left.keys()]).toEqual(["name", "terms"]);
  expect(overtakenNames(saved, left)).toEqual([]);
  expect(afterSaving(saved, sent, sent).size).toBe(0);
});

test("an emptied text is stored as none, but the shop keeps a name and an accent", () => {
  expect(checkEdits(withText(before, none, "contact", "  "))).toEqual({
    kind: "right",
    patch: { contact: null },
  });
  expect(checkEdits(withText(before, none, "name", " "))).toEqual({
    kind: "wrong",
    faults: new Map([["name", "It must not be empty."]]),
  });
});

test("each wrong setting is told with its reason", () => {
  const edits = withText(before, withText(before, none, "contact", "nobody"), "accent", "#00");
  const checked = checkEdits(edits);
  const faults = checked.kind === "wrong" ? checked.faults : new Map();
  expect(faults.get("contact")).toContain("must be an e-mail address");
  expect(faults.get("accent")).toContain("must be a colour");
});

test("a fault that was told goes with what was wrong, and others are not told before one saves", () => {
  const wrong = withText(before, withText(before, none, "contact", "nobody"), "accent", "#00");
  const checked = checkEdits(wrong);
  const told = checked.kind === "wrong" ? checked.faults : new Map();
  expect([...told.keys()].sort()).toEqual(["accent", "contact"]);
  const corrected = withText(before, wrong, "accent", "#f7931a");
  expect([...remainingFaults(told, corrected).keys()]).toEqual(["contact"]);
  expect(
    remainingFaults(told, withText(before, corrected, "contact", "help@shop.example")).size,
  ).toBe(0);
  expect([...remainingFaults(told, withText(before, corrected, "name", "")).keys()]).toEqual([
    "contact",
  ]);
});
