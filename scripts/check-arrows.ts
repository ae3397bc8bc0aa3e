import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "vite";
import type { Program } from "../arrows.ts";

type Programs = Readonly<Record<string, Program>>;

/** One import that the table does not allow. */
export interface ForbiddenImport {
  /** A path from the root. */
  readonly file: string;
  /** A path from the root, or a package's name. */
  readonly target: string;
  readonly why: string;
}

/**
 * Checks every source file of the packages and apps against a table of arrows.
 *
 * @param root the folder that holds `packages` and `apps`
 * @returns the imports that are not allowed, in the order of the files
 */
export function findForbiddenImports(root: string, programs: Programs): ForbiddenImport[] {
  const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx,mjs}", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  return files.flatMap((file) =>
    importsOf(join(root, file)).flatMap((specifier) => {
      const target = resolve(file, specifier);
      const why = refusal(file, target, programs);
      return why === undefined ? [] : [{ file, target, why }];
    }),
  );
}

/** What a module imports: statically, dynamically, as types only, and what it exports again. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const { module } = parseSync(path, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    ),
    // A dynamic import has the text of its argument, quotes included.
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

/**
 * Where an import leads: what was written for a package, and for a relative import a path from the root, which begins
 * with `/` outside of `packages` and `apps`.
 */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = posix.join(posix.dirname(file), specifier);
  return /^(?:packages|apps)\//.test(path) ? path : `/${path}`;
}

/** Where a file stands in the table: its program, and the row of its own or of its folder. */
function placeOf(file: string, programs: Programs) {
  const [kind, name, , ...path] = file.split("/");
  const program = `${kind}/${name}`;
  const rows = programs[program]?.rows;
  const inner = path.join("/");
  const row = [inner, posix.dirname(inner)].find((key) => rows !== undefined && Object.hasOwn(rows, key));
  return { program, inner, row };
}

function refusal(file: string, target: string, programs: Programs): string | undefined {
  const from = placeOf(file, programs);
  const rules = programs[from.program];
  if (rules === undefined || from.row === undefined) return `${file} has no row in arrows.ts`;
  const isTest = /\.test\.tsx?$/.test(file);
  const allowed = [...rules.everywhere, ...(rules.rows[from.row] ?? [])];
  if (isOutside(target))
    return isTest || allowed.includes(target) ? undefined : `${from.row} may not import ${target}`;
  if (!target.startsWith("packages/") && !target.startsWith("apps/")) {
    if (isTest && (!target.startsWith("@keepsats/") || target === "@keepsats/testing")) return undefined;
    return mayImportPackage(target, allowed) ? undefined : `${from.row} may not import ${target}`;
  }
  // The one file outside of `src` that is imported: its own package.json, for the version.
  if (target === `${from.program}/package.json`) return undefined;
  const to = placeOf(target, programs);
  if (to.program !== from.program) return `${from.program} may not reach into ${to.program}`;
  if (isTest) return undefined;
  if (to.row === undefined) return `${target} has no row in arrows.ts`;
  if (to.row === from.row) return undefined;
  if (!allowed.includes(to.row)) return `${from.row} may not import ${to.row}`;
  const door = rules.doors?.[to.row];
  const isInside =
    door === undefined || to.inner === `${to.row}/${door}` || from.row.startsWith(`${to.row}/`);
  return isInside ? undefined : `${to.row} is imported through ${door} only`;
}

/** Whether a relative import leads to a file of the repository that belongs to no program, such as `/scripts/build.ts`. */
function isOutside(target: string): boolean {
  return target.startsWith("/");
}

function mayImportPackage(target: string, allowed: readonly string[]): boolean {
  if (target.startsWith("node:")) return allowed.includes("node:");
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  return allowed.includes(name) || (!name.startsWith("@keepsats/") && allowed.includes("npm:"));
}
