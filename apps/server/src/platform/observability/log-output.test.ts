import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openLogOutput } from "./log-output.ts";

let folder: string;
let fd: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  fd = openSync(join(folder, "log"), "a");
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

/** Makes the next writes return these numbers of bytes, and write nothing. */
function pretendToWrite(...counts: readonly number[]): void {
  const write = vi.spyOn(fs, "writeSync");
  for (const count of counts) write.mockReturnValueOnce(count);
  // Named imports of other modules refer to the spy from here on.
  syncBuiltinESMExports();
}

const log = () => readFileSync(join(folder, "log"), "utf8");

test("a line is counted as dropped when the file accepts none of it and raises no error", () => {
  const output = openLogOutput(fd);
  pretendToWrite(0);
  output.write("lost\n");
  expect(output.dropped).toBe(1);
  output.write("written\n");
  output.write("as well\n");
  expect(log()).toBe("\nwritten\nas well\n");
});

test("a line that was written in part is counted as dropped, and the next one begins a new line", () => {
  const output = openLogOutput(fd);
  pretendToWrite("the first ".length);
  output.write("the first line\n");
  expect(output.dropped).toBe(1);
  output.write("written\n");
  expect(output.dropped).toBe(1);
  expect(log()).toBe("\nwritten\n");
});
