import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openLogOutput } from "./log-output.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, writeSync: vi.fn(fs.writeSync) };
});

let folder: string;
let fd: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  fd = openSync(join(folder, "log"), "a");
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

const log = () => readFileSync(join(folder, "log"), "utf8");

test("a line is counted as dropped when the file accepts none of it and raises no error", () => {
  const output = openLogOutput(fd);
  vi.mocked(writeSync).mockReturnValueOnce(0);
  output.write("lost\n");
  expect(output.dropped).toBe(1);
  output.write("written\n");
  expect(log()).toMatch(/^.*1 log lines could not be written.*\nwritten\n$/);
});

test("a line that was written in part is completed before the next line, which is dropped if that fails", () => {
  const output = openLogOutput(fd);
  vi.mocked(writeSync).mockReturnValueOnce("the first ".length).mockReturnValueOnce(0);
  output.write("the first line\n");
  output.write("lost\n");
  expect(output.dropped).toBe(1);
  output.write("written\n");
  expect(log()).toMatch(/^line\n.*1 log lines could not be written.*\nwritten\n$/);
});
