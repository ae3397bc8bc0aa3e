import { ApiError } from "@keepsats/client";
import { forEachField } from "@keepsats/domain";
import {
  type ProblemCode,
  type ShopSettingName,
  type ShopSettingsPatch,
  shopSettingNames,
} from "@keepsats/protocol";
import { expect, test } from "vitest";
import { saveSettings } from "./save-settings.ts";
import { type Stored, withText } from "./settings-draft.ts";

type Texts = { readonly [Name in ShopSettingName]?: string | null | undefined };

function stored(texts: Texts): Stored {
  return forEachField(shopSettingNames, (name) => ({ value: texts[name] ?? null }));
}

const before = stored({ name: "Corner Shop" });

/**
 * A shop in which somebody else makes one of `others` between each read and the write that follows
 * it.
 */
function shopWith(others: readonly Texts[], refusal: ProblemCode = "settings_changed") {
  let texts: Texts = { name: "Corner Shop" };
  let version = 1;
  let writes = 0;
  const answer = () => ({ version: String(version), settings: stored(texts) });
  function change(patch: Texts): void {
    texts = { ...texts, ...patch };
    version += 1;
  }
  async function write(patch: ShopSettingsPatch, expected: string) {
    const other = others[writes];
    if (other !== undefined) change(other);
    writes += 1;
    if (expected !== String(version)) {
      throw new ApiError("refused", {
        status: 409,
        problem: { title: "", status: 409, code: refusal },
      });
    }
    change(patch);
    return answer();
  }
  return { read: async () => answer(), write, texts: () => texts, writes: () => writes };
}

test("somebody else who saves another setting at the same moment loses nothing, and nor does who is late", async () => {
  const shop = shopWith([{ contact: "ada@shop.example" }, { terms: "None." }]);
  const saved = await saveSettings(shop, withText(before, new Map(), "name", "Corner"));
  const now = { name: "Corner", contact: "ada@shop.example", terms: "None." };
  expect(saved).toEqual({ kind: "saved", stored: stored(now) });
  expect([shop.texts(), shop.writes()]).toEqual([now, 3]);
});

test("somebody else who saves the same setting at the same moment overtakes, and theirs stays", async () => {
  const shop = shopWith([{ name: "Round Shop" }]);
  expect(await saveSettings(shop, withText(before, new Map(), "name", "Corner"))).toEqual({
    kind: "overtaken",
  });
  expect([shop.texts(), shop.writes()]).toEqual([{ name: "Round Shop" }, 1]);
});

test("who is refused again and again is told so, and any other refusal is told at once", async () => {
  const edits = withText(before, new Map(), "name", "Corner");
  const busy = shopWith(Array.from({ length: 9 }, (_, at) => ({ terms: `${at}` })));
  await expect(saveSettings(busy, edits)).rejects.toMatchObject({
    problem: { code: "settings_changed" },
  });
  expect(busy.writes()).toBe(5);
  const away = shopWith([{ terms: "None." }], "unavailable");
  await expect(saveSettings(away, edits)).rejects.toMatchObject({
    problem: { code: "unavailable" },
  });
  expect(away.writes()).toBe(1);
});

test("what is wrong is not sent", async () => {
  const shop = shopWith([]);
  expect(await saveSettings(shop, withText(before, new Map(), "accent", "#00"))).toEqual({
    kind: "wrong",
  });
  expect(shop.writes()).toBe(0);
});
