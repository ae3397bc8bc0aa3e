import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ACCENT, ACCENT_INK } from "@keepsats/domain";
import { expect, test } from "vitest";

/**
 * Matches colours, lengths and durations with a unit. Numbers such as `size={18}` and
 * `duration={4000}` are allowed.
 */
const rawValue =
  /#(?:[\da-f]{3,4}){1,2}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\(|\b\d*\.?\d+(?:px|rem|ms)\b/i;

/** Comments may contain values. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

const folders = ["packages/ui/src", "apps/storefront/src", "apps/admin/src"];

test.each(folders)(
  "in %s only theme.css contains raw colours, lengths and durations",
  async (folder) => {
    const root = join(import.meta.dirname, "../../..", folder);
    const files = (await readdir(root, { recursive: true })).filter(
      (file) => /\.(?:tsx?|css)$/.test(file) && !file.endsWith(".test.ts") && file !== "theme.css",
    );
    expect(files).toContain("styles.css");
    const found = await Promise.all(
      files.map(async (file) => {
        const lines = withoutComments(await readFile(join(root, file), "utf8")).split("\n");
        return lines.filter((line) => rawValue.test(line)).map((line) => `${file}: ${line.trim()}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  },
);

test.each([
  "#fff",
  "color: #1c1915;",
  "w-[13px]",
  "rgb(0 0 0 / 0.5)",
  "top: 5.5rem",
  "transition: 160ms",
])("%s is a raw value", (line) => {
  expect(line).toMatch(rawValue);
});

test.each(["#cart", "#main", "size-11", "100%", "--spacing(3.5)", "order #abcdefgh"])(
  "%s is not a raw value",
  (line) => {
    expect(line).not.toMatch(rawValue);
  },
);

const theme = await readFile(join(import.meta.dirname, "theme.css"), "utf8");

test("the accent and its text colour match the constants of the server", () => {
  expect(theme).toContain(`--color-accent: ${ACCENT};`);
  expect(theme).toContain(`--color-on-accent: ${ACCENT_INK};`);
});

test("the theme colours of the storefront's page match its background", async () => {
  const file = join(import.meta.dirname, "../../../apps/storefront/index.html");
  const tags = (await readFile(file, "utf8")).matchAll(/"theme-color".* content="(.+)"/g);
  const [light, dark] = [...tags].map(([, colour]) => colour);
  expect(theme).toContain(`--color-paper: light-dark(${light}, ${dark});`);
});
