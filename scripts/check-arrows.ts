import { existsSync, globSync, readFileSync } from "node:fs";
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
 * @returns `forbidden`: the imports that are not allowed, and the files without a row; `unused`: the
 *   entries of the table that no import needs
 */
export function checkImports(
  root: string,
  programs: Programs,
): { readonly forbidden: readonly ForbiddenImport[]; readonly unused: readonly string[] } {
  const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}", {
    cwd: root,
  })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  const used = new Set<string>();
  const onAllowed = (...arrow: readonly string[]) => void used.add(arrow.join(" → "));
  const forbidden = files.flatMap((file) => {
    const from = placeOf(file, programs);
    if (from.row === undefined)
      return [{ file, target: file, why: `${file} has no row in arrows.ts` }];
    const declared = declaredPackages(join(root, from.program));
    return importsOf(join(root, file)).flatMap((specifier) => {
      const target = resolve(file, specifier);
      const why = refusal(file, target, { programs, declared, onAllowed });
      return why === undefined ? [] : [{ file, target, why }];
    });
  });
  return { forbidden, unused: arrowsOf(programs).filter((arrow) => !used.has(arrow)) };
}

/** Every entry of the table, as `program → row → entry`; without a row for those of all rows. */
function arrowsOf(programs: Programs): string[] {
  return Object.entries(programs).flatMap(([program, { everywhere, rows }]) => [
    ...everywhere.map((entry) => [program, "", entry].join(" → ")),
    ...Object.entries(rows).flatMap(([row, entries]) =>
      entries.map((entry) => [program, row, entry].join(" → ")),
    ),
  ]);
}

/** The packages that a program's package.json names; none where there is no such file. */
function declaredPackages(folder: string): ReadonlySet<string> {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return new Set();
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, "utf8"));
  return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
}

/**
 * The imports of a module: static, dynamic, types, re-exports, `require` and `import.meta.resolve`.
 */
function importsOf(path: string): string[] {
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  const found: string[] = [];
  function visit(node: unknown): void {
    if (typeof node !== "object" || node === null) return;
    const source = sourceOf(node);
    if (source !== undefined) found.push(literalOf(source));
    for (const child of Object.values(node)) visit(child);
  }
  visit(program);
  return found;
}

/** The part of a syntax node that names another module; `undefined` where the node names none. */
function sourceOf(node: object): unknown {
  const { type, source, expression, callee, arguments: given } = fieldsOf(node);
  switch (type) {
    case "ImportDeclaration":
    case "ImportExpression":
    case "TSImportType":
    case "ExportAllDeclaration":
      return source;
    case "ExportNamedDeclaration":
      return source ?? undefined;
    case "TSExternalModuleReference":
      return expression;
    case "CallExpression":
      return isModuleCall(fieldsOf(callee)) && Array.isArray(given)
        ? (given[0] ?? null)
        : undefined;
    default:
      return undefined;
  }
}

/** Whether a call is `require(…)`, `createRequire(…)(…)` or `import.meta.resolve(…)`. */
function isModuleCall({ type, name, object, property, callee }: Record<string, unknown>): boolean {
  if (type === "Identifier") return name === "require";
  if (type === "CallExpression") return fieldsOf(callee).name === "createRequire";
  return fieldsOf(object).type === "MetaProperty" && fieldsOf(property).name === "resolve";
}

/** The text of a string literal. A computed name cannot be checked, so a row must allow it. */
function literalOf(node: unknown): string {
  const { type, value, quasis } = fieldsOf(node);
  if (type === "Literal" && typeof value === "string") return value;
  if (type === "TemplateLiteral" && Array.isArray(quasis) && quasis.length === 1) {
    return String(fieldsOf(fieldsOf(quasis[0]).value).cooked);
  }
  return COMPUTED;
}

const COMPUTED = "a computed module";

function fieldsOf(node: unknown): Record<string, unknown> {
  return typeof node === "object" && node !== null ? { ...node } : {};
}

/**
 * Resolves an import: a package's specifier stays unchanged; a relative one becomes a path from the
 * root, with a leading `/` outside `packages` and `apps`.
 */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = posix.join(posix.dirname(file), specifier);
  return /^(?:packages|apps)\//.test(path) ? path : `/${path}`;
}

/** The position of a file in the table: its program, and the longest row that holds it. */
function placeOf(file: string, programs: Programs) {
  const [kind, name, , ...path] = file.split("/");
  const program = `${kind}/${name}`;
  const inner = path.join("/");
  const row = Object.keys(programs[program]?.rows ?? {})
    .filter((key) => isWithin(inner.replace(/\.test(?=\.tsx?$)/, ""), key))
    .sort((one, other) => other.length - one.length)[0];
  return { program, inner, row };
}

/** Whether a path is a folder or file of the table, or in such a folder. */
function isWithin(path: string, key: string): boolean {
  if (key === ".") return !path.includes("/");
  return path === key || path.startsWith(`${key}/`);
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

interface Context {
  readonly programs: Programs;
  readonly declared: ReadonlySet<string>;
  /** Called with each entry of the table that allows an import. */
  readonly onAllowed: (program: string, row: string, entry: string) => void;
}

function refusal(file: string, target: string, context: Context): string | undefined {
  const { programs, declared } = context;
  const from = placeOf(file, programs);
  const rules = programs[from.program];
  const { row } = from;
  if (rules === undefined || row === undefined) return `${file} has no row in arrows.ts`;
  const entries = rules.rows[row] ?? [];
  const refused = `${row} may not import ${target}`;
  function allow(fits: (entry: string) => boolean): boolean {
    const entry = entries.find(fits);
    if (entry !== undefined) context.onAllowed(from.program, row ?? "", entry);
    const general = entry === undefined ? rules?.everywhere.find(fits) : undefined;
    if (general !== undefined) context.onAllowed(from.program, "", general);
    return entry !== undefined || general !== undefined;
  }
  if (target.startsWith("/"))
    return isTest(file) || allow((entry) => entry === target) ? undefined : refused;
  if (!target.startsWith("packages/") && !target.startsWith("apps/")) {
    if (isTest(file) && !target.startsWith("@keepsats/")) return undefined;
    return allow((entry) => allowsPackage(entry, target, declared)) ? undefined : refused;
  }
  // A program may import its own package.json, for the version.
  if (target === `${from.program}/package.json`) return undefined;
  const to = placeOf(target, programs);
  if (to.program !== from.program) return `${from.program} may not reach into ${to.program}`;
  if (isTest(file)) return undefined;
  if (to.row === undefined) return `${target} has no row in arrows.ts`;
  const toRow = to.row;
  if (toRow === row) return undefined;
  if (!allow((entry) => isWithin(toRow, entry) || isWithin(to.inner, entry)))
    return `${row} may not import ${toRow}`;
  const module = rules.modules
    ?.filter((one) => isWithin(to.inner, one) && !isWithin(from.inner, one))
    .sort((one, other) => other.length - one.length)[0];
  if (module === undefined || to.inner === `${module}/index.ts`) return undefined;
  return `${module} is imported through its index.ts only`;
}

function allowsPackage(entry: string, target: string, declared: ReadonlySet<string>): boolean {
  if (target.startsWith("node:")) return entry === "node:";
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  const isOurs = name.startsWith("@keepsats/");
  return entry === name || (!isOurs && entry === "npm:" && declared.has(name));
}
