import { mapFields } from "@keepsats/domain";
import { shopSettingNames } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { isColour, shopFormSchema, shopValues } from "./shop-form.ts";

const stored = shopValues({
  settings: {
    ...mapFields(shopSettingNames, () => ({ value: null })),
    name: { value: "Corner Shop" },
    contact: { value: "help@shop.example" },
    accent: { value: "#f7931a" },
    order_number_start: { value: "10000" },
    return_days: { value: "30" },
    time_zone: { value: "UTC" },
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

test("a setting that an older server does not send is empty", () => {
  const settings = mapFields(
    [
      "name",
      "contact",
      "tagline",
      "delivery",
      "returns",
      "terms",
      "privacy",
      "logo",
      "accent",
      "greeting",
      "signature",
      "sign_in_emails",
    ] as const,
    () => ({ value: null }),
  );
  expect(shopValues({ settings })).toMatchObject({ intro: "", return_days: "" });
});

test("each invalid setting has its own error", () => {
  const { error } = shopFormSchema.safeParse({ ...stored, contact: "nobody", accent: "#00" });
  expect(error?.issues.map(({ path }) => path)).toEqual([["accent"], ["contact"]]);
  expect(error?.issues[1]?.message).toContain("must be an email address");
});

test("the VAT rate may have a decimal comma and a percent sign", () => {
  const parse = (vat_rate: string) => shopFormSchema.parse({ ...stored, vat_rate }).vat_rate;
  expect(["19,0", " 7.5 ", "19 %", "7,5%", "%", ""].map(parse)).toEqual([
    "19.0",
    "7.5",
    "19",
    "7.5",
    null,
    null,
  ]);
});

test("a time zone has its usual capitals, and one that does not exist is refused", () => {
  const parse = (time_zone: string) => shopFormSchema.safeParse({ ...stored, time_zone });
  expect(parse(" europe/berlin ").data?.time_zone).toBe("Europe/Berlin");
  expect(parse("Europe/Atlantis").error?.issues[0]?.message).toBe(
    "must be the name of a time zone, such as Europe/Berlin",
  );
});

test("a colour has six hexadecimal digits", () => {
  expect(isColour("#f7931")).toBe(false);
  expect(isColour("#f7931a")).toBe(true);
});
