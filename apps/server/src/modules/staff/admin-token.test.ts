import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { adminToken } from "./admin-token.ts";

const TOKEN = "the-token-in-the-file-of-this-test";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("a token that other users may read through a link is restricted", () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, `${TOKEN}\n`);
  chmodSync(secret, 0o644);
  const file = join(folder, "admin-token");
  symlinkSync(secret, file);
  const repaired: string[] = [];
  const config = {
    adminToken: undefined,
    database: { kind: "sqlite", file: join(folder, "shop.db") },
  } as const;
  for (let start = 0; start < 2; start += 1)
    expect(adminToken(config, (path) => repaired.push(path))).toBe(TOKEN);
  expect(statSync(secret).mode & 0o777).toBe(0o600);
  expect(repaired).toEqual([file]);
});
