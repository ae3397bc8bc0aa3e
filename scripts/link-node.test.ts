import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "keepsats-node-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The npm that runs on the system's Node, as on a new machine. */
const path = (process.env.PATH ?? "").split(":").filter((entry) => !entry.startsWith(root));
const hasNpm =
  spawnSync("npm", ["--version"], { env: { ...process.env, PATH: path.join(":") } }).status === 0;

test.skipIf(process.platform === "win32")(
  "the installed Node is linked where npm has not linked it",
  () => {
    const installation = mkdtempSync(join(folder, "linked-"));
    const program = join(
      installation,
      `node_modules/node-${process.platform}-${process.arch}/bin/node`,
    );
    const link = join(installation, "node_modules/.bin/node");
    const script = join(installation, "scripts/link-node.mjs");
    for (const file of [program, link, script]) mkdirSync(dirname(file), { recursive: true });
    symlinkSync(process.execPath, program);
    copyFileSync(join(root, "scripts/link-node.mjs"), script);
    expect(spawnSync(process.execPath, [script]).status).toBe(0);
    expect(realpathSync(link)).toBe(realpathSync(process.execPath));
  },
);

test.runIf(hasNpm)(
  "npm ci explains in one line how to fix a Node that does not start",
  { meta: { needs: "npm beside the system's own Node" } },
  () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }));
    const broken = join(folder, "node_modules/.bin/node");
    mkdirSync(dirname(broken), { recursive: true });
    const loader =
      "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file";
    writeFileSync(broken, `#!/bin/sh\necho "${loader}" >&2\nexit 127\n`, { mode: 0o755 });
    const { status, stdout } = spawnSync("npm", ["run", "--silent", "postinstall"], {
      cwd: folder,
      env: { ...process.env, PATH: path.join(":") },
      encoding: "utf8",
    });
    expect(stdout).toBe(
      "Node 26 does not start. On Debian and Ubuntu it needs: apt install libatomic1\n",
    );
    expect(status).toBe(1);
  },
);
