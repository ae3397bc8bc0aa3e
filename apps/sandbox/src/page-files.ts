import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const read = (path: string) => readFile(join(import.meta.dirname, path), "utf8");

/** Serves the style of all pages. */
export async function lookRoutes(app: FastifyInstance): Promise<void> {
  serve(app, "/look.css", "text/css", await read("look.css"));
}

/** Serves the style and the script of a page. Returns its HTML. */
export async function servePageFiles(
  app: FastifyInstance,
  name: "popup" | "mailbox",
): Promise<string> {
  const [page, style, script] = await Promise.all([
    read(`${name}/${name}.html`),
    read(`${name}/${name}.css`),
    read(`${name}/${name}.ts`),
  ]);
  serve(app, `/${name}.css`, "text/css", style);
  serve(app, `/${name}.js`, "text/javascript", stripTypeScriptTypes(script));
  return page;
}

function serve(app: FastifyInstance, path: string, type: string, text: string): void {
  app.get(path, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
}
