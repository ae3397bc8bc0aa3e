import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const source = import.meta.dirname;

/** The static imports of a file, without those of types. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from "([^"]+)"|^import "([^"]+)";/gms,
  );
  return [...imports].map(([, from, bare]) => from ?? bare ?? "");
}

/** All files and packages that a file loads, relative to the server's source. */
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

const loaded = [...loadedWith(join(source, "server.ts"))];

test("the start loads the code for passkeys, webhooks and email", () => {
  expect(loaded).toEqual(
    expect.arrayContaining([
      "app.ts",
      "modules/staff/webauthn.ts",
      "modules/webhooks/message.ts",
      "modules/email/smtp.ts",
    ]),
  );
});

test.each(["@simplewebauthn/server", "standardwebhooks", "nodemailer", "pg", "redis"])(
  "the library %s is loaded at its first use only",
  (library) => {
    expect(loaded.filter((name) => name.startsWith(library))).toEqual([]);
  },
);
