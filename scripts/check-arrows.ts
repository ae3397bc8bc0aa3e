import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "vite";
import type { Program } from "../arrows.ts";

type Programs = Readonly<Record<string, Program>>;

/**
 * Checks every source file of the packages and apps, without tests, against a table of arrows.
 *
 * @param root the folder that holds `packages` and `apps`
 * @returns `forbidden`: a line for each import that is not allowed, and for each file without a row;
 *   `unused`: the entries of the table that no import needs
 */
export function checkImports(root: string, programs: Programs) {
  const forbidden: string[] = [];
  const unused = new Set(
    Object.entries(programs).flatMap(([name, program]) =>
      Object.keys(program.rows).flatMap((row) => [...entriesFor(name, program, row).keys()]),
    ),
  );
  const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}", {
    cwd: root,
    exclude: ["**/*.test.{ts,tsx}"],
  });
  for (const file of files.map((name) => name.replaceAll("\\", "/")).sort()) {
    const from = placeOf(file, programs);
    const program = programs[from.program];
    if (program === undefined || from.row === undefined) {
      forbidden.push(`${file} has no row in arrows.ts`);
      continue;
    }
    const entries = entriesFor(from.program, program, from.row);
    const declared = declaredPackages(join(root, from.program));
    const isAllowed = (fits: (entry: string) => boolean) => {
      const found = [...entries].find(([, entry]) => fits(entry));
      if (found !== undefined) unused.delete(found[0]);
      return found !== undefined;
    };
    for (const specifier of importsOf(join(root, file))) {
      const target = resolve(file, specifier);
      const why = isProgramFile(target)
        ? fileRefusal(from, placeOf(target, programs), isAllowed)
        : packageRefusal(target, declared, isAllowed);
      if (why !== undefined) forbidden.push(`${file}: ${from.row} ${why}`);
    }
  }
  return { forbidden, unused: [...unused] };
}

/** What a row may import, by the place in the table that says so. */
function entriesFor(name: string, { everywhere, rows }: Program, row: string): Map<string, string> {
  return new Map([
    ...(rows[row] ?? []).map((entry) => [`${name} → ${row} → ${entry}`, entry] as const),
    ...everywhere.map((entry) => [`${name} → ${entry}`, entry] as const),
  ]);
}

/** The packages that a program's package.json names; none where there is no such file. */
function declaredPackages(folder: string): ReadonlySet<string> {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return new Set();
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, "utf8"));
  return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
}

/** A computed name cannot be checked, so a row must allow it. */
const COMPUTED = "a computed module";

/** The imports of a module: static, dynamic, types and re-exports. */
function importsOf(path: string): string[] {
  const found: string[] = [];
  function visit(node: unknown): void {
    if (typeof node !== "object" || node === null) return;
    for (const [field, child] of Object.entries(node)) {
      // Of all nodes of the syntax tree, only imports and exports have a source.
      if (field === "source" && child !== null)
        found.push(child.type === "Literal" ? child.value : COMPUTED);
      visit(child);
    }
  }
  visit(parseSync(path, readFileSync(path, "utf8")).program);
  return found;
}

/**
 * Resolves an import: a package's specifier stays unchanged; a relative one becomes a path from the
 * root, with a leading `/` outside the programs.
 */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = posix.join(posix.dirname(file), specifier);
  return isProgramFile(path) ? path : `/${path}`;
}

const isProgramFile = (path: string) => /^(?:packages|apps)\/[^/]+\/src\//.test(path);

interface Place {
  readonly program: string;
  /** The path below `src`. */
  readonly inner: string;
  /** The longest row that holds the file. */
  readonly row: string | undefined;
}

function placeOf(file: string, programs: Programs): Place {
  const [kind, name, , ...path] = file.split("/");
  const program = `${kind}/${name}`;
  const inner = path.join("/");
  const rows = Object.keys(programs[program]?.rows ?? {}).filter((row) => isWithin(inner, row));
  return { program, inner, row: rows.sort((one, other) => other.length - one.length)[0] };
}

/** Whether a path is a folder or file of the table, or in such a folder. */
function isWithin(path: string, key: string): boolean {
  if (key === ".") return !path.includes("/");
  return path === key || path.startsWith(`${key}/`);
}

type IsAllowed = (fits: (entry: string) => boolean) => boolean;

/** Why a program may not import a package, or a file outside all programs. */
function packageRefusal(
  target: string,
  declared: ReadonlySet<string>,
  isAllowed: IsAllowed,
): string | undefined {
  const [scope = "", name] = target.split("/");
  const packageName = scope.startsWith("@") ? `${scope}/${name}` : scope;
  const isTheirs = scope !== "@keepsats" && declared.has(packageName);
  const fits = (entry: string) =>
    entry === target ||
    entry === packageName ||
    (entry === "node:" && target.startsWith("node:")) ||
    (entry === "npm:" && isTheirs);
  return isAllowed(fits) ? undefined : `may not import ${target}`;
}

function fileRefusal(from: Place, to: Place, isAllowed: IsAllowed): string | undefined {
  const { program, inner, row } = to;
  if (program !== from.program) return `may not reach into ${program}`;
  if (row === undefined) return `may not import ${inner}, which has no row in arrows.ts`;
  if (row === from.row) return undefined;
  if (!isAllowed((entry) => isWithin(row, entry) || isWithin(inner, entry)))
    return `may not import ${row}`;
  const isPublic = !row.startsWith("modules/") || inner === `${row}/index.ts`;
  if (isPublic || isWithin(from.inner, row)) return undefined;
  return `may import ${row} through its index.ts only`;
}
