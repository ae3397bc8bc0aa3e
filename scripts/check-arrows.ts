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
 * @returns the imports that are not allowed, and the files without a row, in the order of the files
 */
export function findForbiddenImports(root: string, programs: Programs): ForbiddenImport[] {
  const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}", {
    cwd: root,
  })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  return files.flatMap((file) => {
    const from = placeOf(file, programs);
    if (from.row === undefined)
      return [{ file, target: file, why: `${file} has no row in arrows.ts` }];
    const declared = declaredPackages(join(root, from.program));
    return importsOf(join(root, file)).flatMap((specifier) => {
      const target = resolve(file, specifier);
      const why = refusal(file, target, { programs, declared });
      return why === undefined ? [] : [{ file, target, why }];
    });
  });
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
 * root, with a leading `/` outside of `packages` and `apps`.
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
  const { rows = {}, files } = programs[program] ?? {};
  const inner = path.join("/");
  const folder = posix.dirname(inner);
  const isListed = folder !== "." || files === undefined || files.includes(inner) || isTest(file);
  const row = [inner, folder].find(
    (key) => Object.hasOwn(rows, key) && (key === inner || isListed),
  );
  return { program, inner, row };
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

interface Context {
  readonly programs: Programs;
  readonly declared: ReadonlySet<string>;
}

function refusal(
  file: string,
  target: string,
  { programs, declared }: Context,
): string | undefined {
  const from = placeOf(file, programs);
  const rules = programs[from.program];
  if (rules === undefined || from.row === undefined) return `${file} has no row in arrows.ts`;
  const allowed = [...rules.everywhere, ...(rules.rows[from.row] ?? [])];
  const refused = `${from.row} may not import ${target}`;
  if (target.startsWith("/")) return isTest(file) || allowed.includes(target) ? undefined : refused;
  if (!target.startsWith("packages/") && !target.startsWith("apps/")) {
    if (isTest(file) && !target.startsWith("@keepsats/")) return undefined;
    return mayImportPackage(target, allowed, declared) ? undefined : refused;
  }
  // A program may import its own package.json, for the version.
  if (target === `${from.program}/package.json`) return undefined;
  const to = placeOf(target, programs);
  if (to.program !== from.program) return `${from.program} may not reach into ${to.program}`;
  if (isTest(file)) return undefined;
  if (to.row === undefined) return `${target} has no row in arrows.ts`;
  if (to.row === from.row) return undefined;
  if (!allowed.includes(to.row)) return `${from.row} may not import ${to.row}`;
  const door = rules.doors?.[to.row];
  const isInside =
    door === undefined || to.inner === `${to.row}/${door}` || from.row.startsWith(`${to.row}/`);
  return isInside ? undefined : `${to.row} is imported through ${door} only`;
}

function mayImportPackage(
  target: string,
  allowed: readonly string[],
  declared: ReadonlySet<string>,
): boolean {
  if (target.startsWith("node:")) return allowed.includes("node:");
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  const isOurs = name.startsWith("@keepsats/");
  return allowed.includes(name) || (!isOurs && allowed.includes("npm:") && declared.has(name));
}
