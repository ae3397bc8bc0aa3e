import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitFor } from "../test/harness/wait-for.ts";

const progress = join(import.meta.dirname, "progress.ts");
/** `script` of util-linux runs a program on a pseudo-terminal. */
const hasTerminals = spawnSync("script", ["--version"]).status === 0;

/** Work that blocks its thread, as SQLite does, until a file appears. */
const program = (folder: string) => `
  import { existsSync } from "node:fs";
  import { withProgress } from ${JSON.stringify(progress)};
  const growing = { file: "${folder}/growing", size: 2_000_000 };
  await withProgress("Copying", growing, () => { while (!existsSync("${folder}/end")); });
  console.log("done");
`;

test.runIf(hasTerminals)(
  "on a terminal a long command shows its progress, even while it blocks its thread",
  { meta: { needs: "script: apt install bsdutils" } },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "keepsats-"));
    await writeFile(join(folder, "program.ts"), program(folder));
    await writeFile(join(folder, "growing"), Buffer.alloc(500_000));
    const command = `${process.execPath} ${folder}/program.ts`;
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"]);
    let shown = "";
    child.stdout.on("data", (data) => (shown += data));
    const ended = once(child, "exit");
    await waitFor("the first figure", () => shown.includes("Copying … 0.5 MB of 2.0 MB, "));
    await writeFile(join(folder, "growing"), Buffer.alloc(1_500_000));
    await waitFor("the next figure", () => shown.includes("Copying … 1.5 MB of 2.0 MB, "));
    await writeFile(join(folder, "end"), "");
    expect(await ended).toEqual([0, null]);
    expect(shown.endsWith("\r\u001b[Kdone\r\n")).toBe(true);
    await rm(folder, { recursive: true });
  },
);

test("without a terminal it shows no progress", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  await writeFile(join(folder, "program.ts"), program(folder));
  await writeFile(join(folder, "end"), "");
  const { stdout } = spawnSync(process.execPath, [join(folder, "program.ts")], {
    encoding: "utf8",
  });
  expect(stdout).toBe("done\n");
  await rm(folder, { recursive: true });
});
