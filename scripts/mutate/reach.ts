import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "vite";

/**
 * Finds the test files that import a module, directly or indirectly. Paths are from the root of the
 * repository.
 */
export type Reach = (file: string) => ReadonlySet<string>;

export function readImports(root: string, patterns: readonly string[]): Reach {
  const importers = new Map<string, string[]>();
  for (const file of globSync([...patterns], { cwd: root }))
    for (const imported of importsOf(root, file))
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
  return (file) => {
    const reached = new Set<string>();
    const left = [file];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      left.push(...(importers.get(next) ?? []));
    }
    return new Set([...reached].filter((path) => path.endsWith(".test.ts")));
  };
}

/** The modules of this repository that a module imports or re-exports. */
function importsOf(root: string, file: string): string[] {
  const source = readFileSync(join(root, file), "utf8");
  const { module } = parseSync(file, source);
  const names = [
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      source.slice(start + 1, end - 1),
    ),
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value ?? ""),
    ),
  ];
  return names.flatMap((name) => {
    if (name.startsWith(".")) return [join(dirname(file), name)];
    return name.startsWith("@keepsats/")
      ? [`${name.replace("@keepsats/", "packages/")}/src/index.ts`]
      : [];
  });
}
