import type { Plugin } from "vite";

/**
 * Lets the bundler leave out what the shop does not use of react-router, such as forms and prefetching: about 3 KB of the entry
 * chunk. Otherwise they stay, because the library does not mark its calls of `createContext` and `forwardRef` as free of side
 * effects, and gives the results names for developer tools.
 */
export function withoutUnusedRouterCode(): Plugin {
  let found = 0;
  return {
    name: "keepsats-unused-router-code",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /node_modules\/react-router\/dist\// },
      handler(code) {
        return code
          .replace(/^\w+\.displayName = "[\w.]+";$/gm, "")
          .replace(/^(const \w+ = )(React\$\d+\.(?:createContext|forwardRef)\()/gm, (_, before, call) => {
            found += 1;
            return `${before}/* @__PURE__ */ ${call}`;
          });
      },
    },
    generateBundle() {
      if (found === 0)
        throw new Error("react-router creates its contexts in another way: see unused-code.ts");
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
            `${fileName} needs ${others.join(", ")}, which nothing loads with it: see unused-code.ts`,
          );
      }
    },
  };
}
