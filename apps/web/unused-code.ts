import type { Plugin, Rolldown } from "vite";

const routerModule = /node_modules\/react-router\/dist\//;
/** What keeps a part of react-router in a chunk although nothing uses it; and a call that does so no longer. */
const keeping = /\bdisplayName\b.*|(?<!\/\* @__PURE__ \*\/ [\w$]+\.)\b(?:createContext|forwardRef)\b.*/g;
const marked = /\/\* @__PURE__ \*\/ [\w$]+\.(?:createContext|forwardRef)\(/;

/**
 * Lets the bundler leave out what the shop does not use of react-router, such as forms and prefetching: about 3 KB of the entry
 * chunk. Otherwise they stay, because the library does not mark its calls of `createContext` and `forwardRef` as free of side
 * effects, and gives the results names for developer tools. The build fails when a chunk has such a call or name still.
 */
export function withoutUnusedRouterCode(): Plugin {
  return {
    name: "keepsats-unused-router-code",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: routerModule },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = "[\w.]+";$/gm, "")
          .replace(/^(const \w+ = )(React\$\d+\.(?:createContext|forwardRef)\()/gm, "$1/* @__PURE__ */ $2"),
    },
    generateBundle(_options, bundle) {
      const code = Object.values(bundle)
        .flatMap((output) => (output.type === "chunk" ? Object.entries(output.modules) : []))
        .map(([id, module]) => (routerModule.test(id) ? module.code : ""))
        .join("\n");
      const left = code.match(keeping) ?? [];
      if (left.length > 0 || !marked.test(code))
        throw new Error(
          `react-router creates or names its contexts in another way: see unused-code.ts\n${left.join("\n")}`,
        );
    },
  };
}

/**
 * Replaces Vite's function that loads what a lazy chunk imports, together with the chunk: a lazy chunk of the shop imports
 * nothing but the entry chunk, and has no style. The build fails when one does.
 */
export function withoutPreloading(): Plugin {
  return {
    name: "keepsats-no-preloading",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => "export const __vitePreload = (load) => load();",
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const entries = chunks.flatMap(({ isEntry, fileName }) => (isEntry ? [fileName] : []));
      for (const { isDynamicEntry, fileName, imports, viteMetadata } of chunks) {
        const others = [
          ...imports.filter((file) => !entries.includes(file)),
          ...(viteMetadata?.importedCss ?? []),
        ];
        if (isDynamicEntry && others.length > 0)
          throw new Error(
            [
              `${fileName} needs other files, which nothing loads with it: see entryModules in vite.config.ts`,
              ...others.flatMap((file) => [file, ...modulesOf(bundle[file])]),
            ].join("\n  "),
          );
      }
    },
  };
}

function modulesOf(output: Rolldown.OutputBundle[string] | undefined): string[] {
  return output?.type === "chunk" ? output.moduleIds.map((id) => `  ${id}`) : [];
}
