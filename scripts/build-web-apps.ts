import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";
import { buildInside, deleteIfOld, filesIn, markReplaced, UNFINISHED } from "./build-folder.ts";

const root = join(import.meta.dirname, "..");
/** The list of the current build's files, stored beside them. */
const LIST = "files.json";
const INDEX = "index.html";
const compressible = /\.(?:js|css|svg|html|txt|json)$/;

/** Builds the storefront with the pictures of the sample catalogue. */
export function buildStorefront(dist: string): Promise<void> {
  return buildApp("apps/storefront", dist, (fresh) =>
    cp(join(root, "catalogue/pictures"), join(fresh, "pictures"), { recursive: true }),
  );
}

export function buildAdmin(dist: string): Promise<void> {
  return buildApp("apps/admin", dist);
}

/**
 * Builds an app into a folder that running servers may serve: adds the new files, then replaces the
 * page atomically. Files of earlier builds are deleted a week after they were replaced.
 *
 * @param addFiles adds files to the build
 */
async function buildApp(
  app: string,
  dist: string,
  addFiles?: (fresh: string) => Promise<void>,
): Promise<void> {
  process.env.NODE_ENV = "production";
  await buildInside(dist, async (fresh) => {
    await build({
      configFile: join(root, app, "vite.config.ts"),
      mode: "production",
      logLevel: "warn",
      build: { outDir: fresh, emptyOutDir: true },
    });
    await addFiles?.(fresh);
    await compressAll(fresh);
    await putBeside(fresh, dist);
  });
}

/** Writes a brotli and a gzip copy of every text file, with the best compression. */
async function compressAll(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files.filter((file) => compressible.test(file)).map((file) => compress(join(folder, file))),
  );
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}

/**
 * Moves a build into the folder that servers serve, the page last: servers that start later serve
 * the new page. Both folders must be on the same file system.
 */
export async function putBeside(fresh: string, dist: string): Promise<void> {
  const files = await assetsIn(fresh);
  await retire(dist, files);
  for (const file of files) await move(fresh, dist, file);
  await writeFile(join(fresh, LIST), JSON.stringify(files));
  await move(fresh, dist, LIST);
  await move(fresh, dist, INDEX);
}

/** All files of a build except the page, which is moved last. */
async function assetsIn(folder: string): Promise<string[]> {
  const files = await filesIn(folder);
  return files.filter((file) => ![INDEX, LIST, UNFINISHED].some((start) => file.startsWith(start)));
}

async function move(from: string, to: string, file: string): Promise<void> {
  await mkdir(dirname(join(to, file)), { recursive: true });
  await rename(join(from, file), join(to, file));
}

/** Marks the files that only the last build has as replaced, and deletes files replaced earlier. */
async function retire(dist: string, files: readonly string[]): Promise<void> {
  const last = await readFile(join(dist, LIST), "utf8")
    .then((list): readonly string[] => JSON.parse(list))
    // Without a readable list, a crash may have left any of the files.
    .catch(() => undefined);
  for (const file of await assetsIn(dist)) {
    if (files.includes(file)) continue;
    const path = join(dist, file);
    await (last === undefined || last.includes(file) ? markReplaced(path) : deleteIfOld(path));
  }
}
