import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

/** HTML that {@link html} inserts unchanged. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** HTML with values. Values that are not HTML are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(htmlOf)));
}

function htmlOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

interface Page {
  readonly title: string;
  /** The script of the page, such as `popup` for `popup/browser.ts`. */
  readonly script: "popup" | "mailbox";
  readonly body: Html;
}

/** The document of a page. */
export function documentOf({ title, script, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/look.css" />
    <script type="module" src="/${script}.js"></script>
  </head>
  ${body}
</html>
`.text;
}

/** Serves the style of all pages and their scripts. */
export async function pageFileRoutes(app: FastifyInstance): Promise<void> {
  const read = (path: string) => readFile(join(import.meta.dirname, path), "utf8");
  const style = await read("look.css");
  app.get("/look.css", (_request, reply) => reply.type("text/css; charset=utf-8").send(style));
  for (const name of ["popup", "mailbox"] as const) {
    const script = stripTypeScriptTypes(await read(`${name}/browser.ts`));
    app.get(`/${name}.js`, (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(script),
    );
  }
}
