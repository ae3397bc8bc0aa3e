import type { Plugin, Rolldown } from "vite";

const routerModule = /node_modules\/react-router\/dist\//;
/**
 * What keeps a part of react-router in a chunk although nothing uses it; and a call that does so no
 * longer.
 */
const keeping =
  /\bdisplayName\b.*|(?<!\/\* @__PURE__ \*\/ [\w$]+\.)\b(?:createContext|forwardRef)\b.*|(?<!\/\* @__PURE__ \*\/ [\w$]+)\.memo\b.*|(?<!\(\) => )\bclass(?: [\w$]+)? extends\b.*/g;
const marked = /\/\* @__PURE__ \*\/ [\w$]+\.(?:createContext|forwardRef)\(/;

/**
 * Lets the bundler leave out what the shop does not use of react-router, such as nested routes,
 * forms and prefetching: about 7 KB of the entry chunk. Otherwise they stay, because the library
 * does not mark its calls of `createContext`, `forwardRef` and `memo` and its classes as free of
 * side effects, and gives the results names for developer tools. The build fails when a chunk has
 * such a call, class or name still.
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
          .replace(
            /^(const \w+ = )(React\$\d+\.(?:createContext|forwardRef|memo)\()/gm,
            "$1/* @__PURE__ */ $2",
          )
          .replace(
            /^(var \w+ = )(class extends React\$\d+\.Component \{[\s\S]*?^\});$/gm,
            "$1/* @__PURE__ */ (() => $2)();",
          ),
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

/** What the shop needs of the function with which lucide-react makes its icons. */
const createIcon = `import { createElement } from "react";
const look = { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round" };
export default ({ name, node }) => ({ size = 24, className = "", ...props }) =>
  createElement("svg", { ...look, width: size, height: size, className: "lucide lucide-" + name + " " + className, ...props }, ...node.map(([tag, shape]) => createElement(tag, shape)));`;

/**
 * Replaces the function with which lucide-react makes its icons by one without their contexts, old
 * names and data formats, which would be 1 KB of the entry chunk. An icon takes `size` and the
 * attributes of an SVG element; it needs `aria-hidden`.
 */
export function withPlainIcons(): Plugin {
  return {
    name: "keepsats-plain-icons",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /node_modules\/lucide-react\/dist\/esm\/createLucideIcon\.mjs/ },
      handler: () => createIcon,
    },
  };
}

/**
 * Leaves out the part of TanStack Query that reads lists page by page, which the shop does not:
 * `useQuery` names it nevertheless.
 */
export function withoutInfiniteQueries(): Plugin {
  return {
    name: "keepsats-no-infinite-queries",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /@tanstack\/query-core\/build\/modern\/infiniteQueryBehavior\.js/ },
      handler: () =>
        "export const infiniteQueryBehavior = () => ({}), hasNextPage = () => false, hasPreviousPage = () => false;",
    },
  };
}

/**
 * Replaces Vite's function that loads what a lazy chunk imports, together with the chunk: a lazy
 * chunk of the shop imports nothing but the entry chunk, and has no style. The build fails when one
 * does.
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
