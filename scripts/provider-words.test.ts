import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOrderStatus } from "@keepsats/domain";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const providers = "apps/server/src/modules/payments/provider";
/** The quoted texts in an adapter's file, such as statuses and assets. */
const wordsOf = (file: string) =>
  readFileSync(join(root, file), "utf8").matchAll(/"([A-Za-z][A-Za-z_]+)"/g);

/**
 * Words that only the adapter of a provider may contain: its statuses, assets, fields, paths and
 * headers.
 */
const words = [
  ...new Set([...wordsOf(`${providers}/contracts-api/contract.ts`)].map(([, word = ""]) => word)),
  "client_contract_id",
  "loan_amount",
  "loan_asset",
  "x-api-key",
  "/api/contracts",
  "/api/users/me",
].filter((word) => /[A-Z_/-]/.test(word) && !isOrderStatus(word));

/** The provider's words in a source text, as a whole quoted text or as a name. */
function providerWordsIn(text: string): string[] {
  return words.filter((word) => {
    const isName = /[_/-]|[a-z][A-Z]/.test(word);
    return isName
      ? new RegExp(`(?<![\\w])${word}(?![\\w])`).test(text)
      : text.includes(`"${word}"`);
  });
}

const files = globSync(
  ["packages/*/src/**/*.{ts,tsx}", "apps/{server,storefront,cli}/src/**/*.{ts,tsx}"],
  {
    cwd: root,
  },
)
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.startsWith(`${providers}/contracts-api/`));

test("a provider's own words are found", () => {
  expect(words).toEqual(
    expect.arrayContaining([
      "Requested",
      "PrincipalGiven",
      "Extended",
      "UsdcPol",
      "Eur",
      "loan_asset",
    ]),
  );
  expect(providerWordsIn('if (status === "Extended") lend("Eur");')).toEqual(["Extended", "Eur"]);
  expect(providerWordsIn("contract.loan_amount, PrincipalGiven")).toEqual([
    "PrincipalGiven",
    "loan_amount",
  ]);
  expect(providerWordsIn("An extended loan was closed, and its order Cancelled")).toEqual([]);
});

test("only the adapter of a provider contains its words: fields, statuses, assets, paths and headers", () => {
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    providerWordsIn(readFileSync(join(root, file), "utf8")).map((word) => `${file}: ${word}`),
  );
  expect(found).toEqual([]);
});
