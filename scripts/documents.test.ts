import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** ARCHITECTURE.md names the server's files from its own folder: `orders/order.ts`. */
const bases = ["", "apps/server/src"];
const folders =
  "apps|packages|test|scripts|e2e|bench|deploy|docs|simulation|catalogue|orders|payments|db|bus|limits|http|order-stream";
const exists = (name: string) => bases.some((base) => existsSync(join(root, base, name)));
const path = new RegExp(
  `\`((?:${folders})/[\\w./-]+)\`|\\]\\((?!https?:|#)([\\w./-]+)(?:#[\\w-]+)?\\)`,
  "g",
);

/** Patterns of names, and what a command makes. */
const madeLater = /NNN-name|^apps\/(?:web|server)\/dist$/;

/**
 * The paths that a document names: those in backticks from the root, and links from the document's
 * own folder.
 */
function namedIn(document: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(path)].map(
    ([, named, link]) => named ?? join(document, "..", link ?? ""),
  );
}

test.each(
  globSync(["*.md", "docs/**/*.md", ".github/**/*.md"], { cwd: root }).filter(
    (name) => name !== "CHANGELOG.md",
  ),
)("every file that %s names exists", (document) => {
  const missing = namedIn(document).filter((named) => !exists(named));
  expect(missing.filter((named) => !madeLater.test(named))).toEqual([]);
});

test("the paths of a document are found", () => {
  expect(namedIn("ARCHITECTURE.md")).toContain("packages/domain/src/shipping.ts");
  expect(namedIn("README.md")).toContain("ARCHITECTURE.md");
});
