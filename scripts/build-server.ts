import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { buildInside, deleteIfOld, filesIn, markReplaced } from "./build-folder.ts";

const server = join(import.meta.dirname, "../apps/server");
/** The file that loads the current build. */
const ENTRY = "server.mjs";
/**
 * Packages with native code, optional dependencies of packages, and packages that are loaded at their
 * first use. Some of these depend on the order in which their own modules run, such as that for
 * passkeys.
 */
const external = [
  "better-sqlite3",
  "sharp",
  "pg-native",
  "@simplewebauthn/server",
  "nodemailer",
  "redis",
];

/**
 * Bundles the server and its packages into a few files of JavaScript, because Node takes most of a
 * start to find and read a thousand modules. The files and the migrations are put into a folder of
 * their own, named by their content, and `server.mjs` beside these folders is replaced at the end. A
 * running server keeps the folder with which it has started.
 */
export function buildServer(dist: string): Promise<void> {
  return buildInside(dist, async (fresh) => {
    await bundle(fresh);
    await cp(join(server, "src/platform/database/migrations"), join(fresh, "migrations"), {
      recursive: true,
    });
    const name = await contentName(fresh);
    // A temporary folder is private, but the server may run as another user.
    await chmod(fresh, 0o755);
    if (!existsSync(join(dist, name))) await rename(fresh, join(dist, name));
    await makeCurrent(dist, name);
  });
}

async function bundle(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: server,
    mode: "production",
    logLevel: "warn",
    // Bundles the same files of each package that Node would load.
    resolve: { mainFields: ["main"] },
    ssr: { noExternal: true, external, resolve: { conditions: ["node"] } },
    plugins: [escapeText],
    build: {
      outDir,
      emptyOutDir: true,
      target: "esnext",
      minify: false,
      ssr: true,
      rolldownOptions: {
        input: ["src/server.ts", "src/modules/catalogue/pictures/picture-process.ts"],
        output: {
          entryFileNames: "[name].mjs",
          chunkFileNames: "[name]-[hash].mjs",
          // Identifiers and lines stay readable in the stack of an error.
          comments: false,
        },
      },
    },
  });
}

/** Escapes all characters outside ASCII: with one of them, V8 stores a source in twice the memory. */
const escapeText: Plugin = {
  name: "escape-text",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A short hash of all files of a folder. */
async function contentName(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of (await filesIn(folder)).sort()) {
    hash.update(`${file}\0`).update(await readFile(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

function entryOf(name: string): string {
  return `export { run } from "./${name}/server.mjs";\nexport const commit = ${JSON.stringify(currentCommit())};\n`;
}

/** `GIT_COMMIT`, which container builds set because they have no `.git`, or Git's current commit. */
export function currentCommit({ GIT_COMMIT = "" }: NodeJS.ProcessEnv = process.env): string {
  if (GIT_COMMIT !== "") return GIT_COMMIT;
  const args = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
  const { status, stdout } = spawnSync("git", args, { cwd: server, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "unknown";
}

/** Replaces the entry, and deletes builds that were replaced long ago. */
async function makeCurrent(dist: string, name: string): Promise<void> {
  const entry = join(dist, ENTRY);
  const last = await readFile(entry, "utf8").catch(() => "");
  await writeFile(`${entry}.part`, entryOf(name));
  await rename(`${entry}.part`, entry);
  for (const other of await readdir(dist)) {
    if (other === name || other === ENTRY) continue;
    const path = join(dist, other);
    await (last.includes(other) ? markReplaced(path) : deleteIfOld(path));
  }
}
