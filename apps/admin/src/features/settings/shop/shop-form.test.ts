import { ACCENT, mapFields } from "@keepsats/domain";
import { shopSettingNames } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { accentText, isColour, shopFormSchema, shopValues } from "./shop-form.ts";

const stored = shopValues({
  settings: {
    ...mapFields(shopSettingNames, () => ({ value: null })),
    name: { value: "Corner Shop" },
    contact: { value: "help@shop.example" },
    accent: { value: "#f7931a" },
    order_number_start: { value: "10000" },
    return_days: { value: "30" },
    sign_in_emails: { value: "on" },
  },
});

test("an empty text is stored as null, but name and accent are required", () => {
  expect(shopFormSchema.parse({ ...stored, contact: "  " })).toMatchObject({
    name: "Corner Shop",
    contact: null,
    terms: null,
    sign_in_emails: "on",
  });
  const empty = shopFormSchema.safeParse({ ...stored, name: " ", accent: "" });
  expect(empty.error?.issues).toMatchObject([
    { path: ["name"], message: "must not be empty" },
    { path: ["accent"], message: "must be a colour such as #f7931a" },
  ]);
});

test("each invalid setting has its own error", () => {
  const { error } = shopFormSchema.safeParse({ ...stored, contact: "nobody", accent: "#00" });
  expect(error?.issues.map(({ path }) => path)).toEqual([["accent"], ["contact"]]);
  expect(error?.issues[1]?.message).toContain("must be an email address");
});

test("an accent is described by the colour and the contrast of its text", () => {
  expect(accentText(ACCENT)).toBe(
    "Buttons in this colour get dark text, with a contrast of 8.0:1.",
  );
  expect(accentText("#B30000")).toBe(
    "Buttons in this colour get light text, with a contrast of 7.2:1.",
  );
});

test("an invalid colour has no contrast", () => {
  expect(accentText("orange")).toBeUndefined();
  expect(isColour("#f7931")).toBe(false);
  expect(isColour("#f7931a")).toBe(true);
});
