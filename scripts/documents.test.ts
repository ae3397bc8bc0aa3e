import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Documents name files from the root, and files of the server from its source folder too. */
const bases = ["", "apps/server/src"];
const exists = (name: string) => bases.some((base) => existsSync(join(root, base, name)));
const folders =
  "apps|bench|catalogue|config|deploy|docs|e2e|modules|packages|platform|scripts|simulation|test";
const path = new RegExp(
  `\`((?:${folders})/[\\w./-]+)\`|\\]\\((?!https?:|#)([\\w./-]+)(?:#[\\w-]+)?\\)`,
  "g",
);

/** Patterns of names, and files that a command creates. */
const madeLater = /NNN-name|^apps\/(?:storefront|admin|server)\/dist$/;

/**
 * The paths that a document names: those in backticks from a base, and links from the document's own
 * folder.
 */
function namedIn(document: string): string[] {
  return [...read(document).matchAll(path)].map(
    ([, named, link]) => named ?? join(document, "..", link ?? ""),
  );
}

const documents = globSync(["*.md", "docs/**/*.md", ".github/**/*.md"], { cwd: root }).filter(
  (name) => name !== "CHANGELOG.md",
);

test.each(documents)("every file that %s names exists", (document) => {
  const missing = namedIn(document).filter((named) => !exists(named));
  expect(missing.filter((named) => !madeLater.test(named))).toEqual([]);
});

test("the paths of a document are found", () => {
  expect(namedIn("ARCHITECTURE.md")).toContain("packages/domain/src/order-status.ts");
  expect(namedIn("README.md")).toContain("ARCHITECTURE.md");
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsIn(document: string): Set<string> {
  const headings = read(document).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test.each(documents)("every section that %s links to exists", (document) => {
  const links = read(document).matchAll(/\]\((?!https?:)([\w./-]*)#([\w-]+)\)/g);
  const missing = [...links].filter(([, file = "", anchor = ""]) => {
    const target = file === "" ? document : join(document, "..", file);
    return !anchorsIn(target).has(anchor);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

describe("the guides to the code", () => {
  const sources = globSync("**/*.{ts,tsx,mjs,css,html,sql,json,md}", {
    cwd: root,
    exclude: (name) => /^(?:node_modules|dist|\.git|data)$/.test(basename(name)),
  }).map((file) => file.replaceAll("\\", "/"));
  const file = /^[@\w./*-]+\.(?:ts|tsx|mjs|css|html|sql|json|ya?ml|md|cfg)$/;
  const functionName = /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]\w+|[A-Z]+_[A-Z_]+)$/;

  /** A row of a table, an item of a list or a paragraph, with the folder that its heading names. */
  interface Block {
    readonly text: string;
    readonly folder: string;
  }

  function blocksIn(document: string): Block[] {
    let folder = "";
    return read(document)
      .replaceAll(/^```[\s\S]*?^```/gm, "")
      .split(/\n(?=[|#-])|\n\n/)
      .flatMap((text) => {
        if (!text.startsWith("#")) return [{ text, folder }];
        folder = /`([\w./-]+)`/.exec(text)?.[1] ?? "";
        return [];
      });
  }

  const inBackticks = (text: string) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

  /** The files of a name: a path or pattern from a base or the folder, or the end of the path of any file. */
  function filesOf(name: string, { folder }: Block): string[] {
    const patterns = [...bases, folder].map((base) => join(base, name).replaceAll("\\", "/"));
    const found = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
    return found.length > 0 ? found : sources.filter((source) => matchesGlob(source, `**/${name}`));
  }

  const guides = ["ARCHITECTURE.md", "docs/changing.md", "docs/tour.md"];

  test.each(guides)("every file name in %s is the name of a file", (document) => {
    const missing = blocksIn(document).flatMap((block) =>
      inBackticks(block.text).filter(
        (name) => file.test(name) && filesOf(name, block).length === 0,
      ),
    );
    expect(missing).toEqual([]);
  });

  test.each(guides)(
    "every name of a function in %s stands in a file that is named beside it",
    (document) => {
      const missing = blocksIn(document).flatMap((block) => {
        const names = inBackticks(block.text);
        const files = names
          .filter((name) => file.test(name))
          .flatMap((name) => filesOf(name, block));
        const text = files.map(read).join("\n");
        return names
          .filter((name) => functionName.test(name) && !new RegExp(`\\b${name}\\b`).test(text))
          .map((name) => `${name}: ${block.text.slice(0, 60)}`);
      });
      expect(missing).toEqual([]);
    },
  );

  test("are short", () => {
    expect(Buffer.byteLength(read("ARCHITECTURE.md"))).toBeLessThanOrEqual(12 * 1024);
    expect(Buffer.byteLength(read("docs/tour.md"))).toBeLessThanOrEqual(8 * 1024);
  });
});

test("configure.md has one row for every environment variable of the server", () => {
  const source = globSync("apps/server/src/config/*.ts", { cwd: root }).map(read).join("\n");
  const variables = new Set(
    [...source.matchAll(/\(\s*env,\s*"([A-Z_]+)"/g)].map(([, name = ""]) => name),
  );
  const documented = [
    ...read("docs/operations/configure.md").matchAll(/^\| (`[A-Z][^|]*) \|/gm),
  ].flatMap(([, cell = ""]) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name));
  expect(variables.size).toBeGreaterThan(30);
  for (const name of variables)
    expect(
      documented.filter((other) => other === name),
      name,
    ).toEqual([name]);
});
