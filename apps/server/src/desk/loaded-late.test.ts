import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "..");

/** What a file loads when it is loaded itself: imports of types and `import()` are not among it. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from "([^"]+)";|^import "([^"]+)";/gms,
  );
  return [...imports].map(([, from, bare]) => from ?? bare ?? "");
}

/** All files and packages that are loaded with a file, relative to the server's source. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  for (const name of importsOf(file)) {
    if (!name.startsWith(".")) loaded.add(name);
    else {
      const path = join(file, "..", name);
      const known = relative(source, path);
      if (loaded.has(known)) continue;
      loaded.add(known);
      if (/\.ts$/.test(path)) loadedWith(path, loaded);
    }
  }
  return loaded;
}

test("a server without a desk loads nothing of it", () => {
  const loaded = [...loadedWith(join(source, "run.ts"))];
  expect(loaded).toContain("app.ts");
  expect(loaded.filter((name) => /^desk\/|^build-desk|simplewebauthn/.test(name))).toEqual([]);
});

test("a server with a desk loads the library for passkeys only when somebody uses one", () => {
  const loaded = [...loadedWith(join(source, "build-desk.ts"))];
  expect(loaded).toContain("desk/webauthn.ts");
  expect(loaded.filter((name) => name.includes("simplewebauthn"))).toEqual([]);
});
