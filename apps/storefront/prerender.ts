import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { type Plugin, type Rolldown, runnerImport } from "vite";

const folder = import.meta.dirname;
/** The font file with the Latin letters, which every page needs. */
const FONT = /hanken-grotesk-latin-wght-normal-[\w-]+\.woff2$/;

/**
 * Makes the built page show text before its JavaScript has loaded: writes the prerendered pages of
 * all screens and the style into the HTML, and preloads the font. The server (`page-template.ts`)
 * sends only the prerendered page of the requested screen.
 */
export function prerender(): Plugin {
  return {
    name: "keepsats-prerender",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build made no index.html");
      const pages = await renderPages(bundle);
      page.source = inlineStyle(String(page.source), bundle)
        .replace("<!-- page-config -->", (block) => `${preloadFont(bundle)}\n    ${block}`)
        .replace("<!-- pages -->", () => pages);
    },
  };
}

async function renderPages(bundle: Rolldown.OutputBundle): Promise<string> {
  const { module } = await runnerImport<typeof import("./src/app/prerendered-pages.tsx")>(
    join(folder, "src/app/prerendered-pages.tsx"),
    { configFile: false, root: folder, plugins: [react()], logLevel: "warn" },
  );
  // React preloads each picture of high priority. The server does it for the first one, once it
  // knows its URL.
  const preload = new RegExp(`<link [^>]*${module.firstPicture}[^>]*>`);
  const pages = module
    .renderPages()
    .map(
      ([path, html]) =>
        `<!-- page ${path} -->${preloadScreen(path, bundle)}${html.replace(preload, "")}`,
    );
  return [...pages, "<!-- end of pages -->"].join("");
}

/**
 * Loads the code of a lazy screen in parallel with the entry, which would load it only when it
 * runs.
 */
function preloadScreen(path: string, bundle: Rolldown.OutputBundle): string {
  if (path === "/") return "";
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const screen = chunks.find(({ facadeModuleId }) =>
    facadeModuleId?.endsWith(`/app/routes${path}.tsx`),
  );
  if (screen === undefined) throw new Error(`the build has no chunk for the screen ${path}`);
  return `<link rel="modulepreload" href="/${screen.fileName}"/>`;
}

/**
 * Replaces the link to the stylesheet by the style, which saves a request before the first paint.
 */
function inlineStyle(html: string, bundle: Rolldown.OutputBundle): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/, (link, file: string) => {
    const style = bundle[file];
    if (style?.type !== "asset") return link;
    delete bundle[file];
    return `<style>${String(style.source).trim()}</style>`;
  });
}

function preloadFont(bundle: Rolldown.OutputBundle): string {
  const file = Object.keys(bundle).find((name) => FONT.test(name));
  if (file === undefined) throw new Error("the build has no font");
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}" />`;
}
