import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { type PageConfig, pageConfigId } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { loopbackRedirect } from "../http/loopback.ts";
import { assetRoutes, type NotFound } from "./asset-routes.ts";
import type { KeptAssets } from "./kept-assets.ts";

const HOUR = 3_600_000;

/** There is no built web app to serve. */
export class WebNotBuilt extends Error {
  override readonly name = "WebNotBuilt";
}

interface Web {
  /** The folder that the build wrote. */
  readonly root: string;
  readonly page: PageConfig;
  readonly publicUrl: string;
  readonly keptAssets: Pick<KeptAssets, "find">;
  readonly notFound: NotFound;
}

/**
 * Serves the built web app: `/assets` cached without limit, `/pictures` for an hour, and for every other path the page
 * (`index.html`), which is never cached. The page is read once, at the start, so that it fits the running server even
 * when the app is built again.
 *
 * @throws {WebNotBuilt} when `root` has no build
 */
export async function servePages(
  app: FastifyInstance,
  { root, page, publicUrl, keptAssets, notFound }: Web,
): Promise<void> {
  const index = await readIndex(root, page);
  await assetRoutes(app, { root, kept: keptAssets, notFound });
  await app.register(fastifyStatic, {
    root: join(root, "pictures"),
    prefix: "/pictures/",
    preCompressed: true,
    maxAge: HOUR,
    index: false,
  });
  for (const name of ["favicon.svg", "robots.txt"]) {
    app.get(`/${name}`, (_request, reply) => reply.sendFile(name, root, { maxAge: HOUR, immutable: false }));
  }
  app.get("/*", (request, reply) => {
    if (!isPage(request.url)) return reply.callNotFound();
    const elsewhere = loopbackRedirect(request, publicUrl);
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 307);
    return sendIndex(reply, index);
  });
}

/** Whether a URL may be a page of the app: it is not below `/api`, `/assets` or `/pictures`. */
export function isPage(url: string): boolean {
  return !/^\/+(?:api|assets|pictures)(?:[/?]|$)/.test(decoded(url));
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url).replaceAll("\\", "/");
  } catch {
    return url;
  }
}

async function readIndex(root: string, page: PageConfig): Promise<string> {
  const template = await readFile(join(root, "index.html"), "utf8").catch(() => {
    throw new WebNotBuilt(`there is no built web app in ${root}: run "npm run build" first`);
  });
  const json = JSON.stringify(page).replaceAll("<", "\\u003c");
  const block = `<script type="application/json" id="${pageConfigId}">${json}</script>`;
  return template
    .replaceAll("__SHOP_NAME__", () => escapeHtml(page.shopName))
    .replace("<!-- page-config -->", () => block);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function sendIndex(reply: FastifyReply, index: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").header("Cache-Control", "no-store").send(index);
}
