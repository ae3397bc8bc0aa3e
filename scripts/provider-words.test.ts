import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOrderStatus } from "@keepsats/domain";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const adapter = "apps/server/src/modules/payments/provider/contracts-api";

/**
 * Words that only the adapter of a provider may contain: its statuses, assets, fields, paths and
 * headers.
 */
const words = [
  ...Array.from(
    read(`${adapter}/contract.ts`).matchAll(/"([A-Z][A-Za-z]+)"/g),
    ([, word = ""]) => word,
  ).filter((word) => !isOrderStatus(word)),
  ...["client_contract_id", "loan_amount", "loan_asset", "x-api-key"],
  ...["/api/contracts", "/api/users/me"],
];

/** Names are found anywhere, and a single word such as `Closed` as a whole quoted text. */
function isIn(text: string, word: string): boolean {
  return /[_/-]|[a-z][A-Z]/.test(word)
    ? new RegExp(`(?<!\\w)${word}(?!\\w)`).test(text)
    : text.includes(`"${word}"`);
}

test("only the adapter of a provider contains its words: fields, statuses, assets, paths and headers", () => {
  expect(words).toEqual(expect.arrayContaining(["Requested", "PrincipalGiven", "UsdcPol"]));
  const files = globSync(
    ["packages/*/src/**/*.{ts,tsx}", "apps/{server,storefront,cli}/src/**/*.{ts,tsx}"],
    { cwd: root, exclude: [`${adapter}/**`] },
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const text = read(file);
    return words.filter((word) => isIn(text, word)).map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});
