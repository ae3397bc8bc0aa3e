import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { findChromium } from "./find-chromium.ts";

const root = mkdtempSync(join(tmpdir(), "keepsats-chromium-"));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** A folder with these programs. */
function folderWith(...programs: readonly string[]): string {
  const folder = mkdtempSync(join(root, "bin-"));
  for (const program of programs) writeFileSync(join(folder, program), "");
  return folder;
}

test("the headless shell is preferred, also when a Chromium comes first on the path", async () => {
  const [full, shell] = [folderWith("chromium"), folderWith("chromium-headless-shell")];
  vi.stubEnv("CHROMIUM_PATH", "");
  vi.stubEnv("PATH", [full, shell].join(delimiter));
  expect(await findChromium()).toBe(join(shell, "chromium-headless-shell"));
});

test("without a headless shell a Chromium is found", async () => {
  vi.stubEnv("CHROMIUM_PATH", "");
  vi.stubEnv("PATH", folderWith("chromium"));
  expect(await findChromium()).toBeDefined();
});

test("the one in CHROMIUM_PATH is before all others, and is refused when it does not exist", async () => {
  const named = join(folderWith("my-chromium"), "my-chromium");
  vi.stubEnv("PATH", folderWith("chromium-headless-shell"));
  vi.stubEnv("CHROMIUM_PATH", named);
  expect(await findChromium()).toBe(named);
  vi.stubEnv("CHROMIUM_PATH", `${named}-2`);
  await expect(findChromium()).rejects.toThrow(/^CHROMIUM_PATH: got ".*my-chromium-2"/);
});
