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

/** The imports of a module: static, dynamic, type-only, and re-exports. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const { module } = parseSync(path, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    ),
    // For a dynamic import the text of the argument includes the quotes.
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

/**
 * Resolves an import: a package's specifier stays unchanged; a relative one becomes a path from the root, with a
 * leading `/` outside of `packages` and `apps`.
 */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = posix.join(posix.dirname(file), specifier);
  return /^(?:packages|apps)\//.test(path) ? path : `/${path}`;
}

/** The position of a file in the table: its program, and the row of the file or its folder. */
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
  // A program may import its own package.json, for the version.
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

/** Whether an import refers to a file outside of all programs, such as `/scripts/build.ts`. */
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
