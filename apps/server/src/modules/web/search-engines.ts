import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../../platform/escape-html.ts";
import type { Catalogue, ShownCatalogue } from "../catalogue/index.ts";
import { categoryPath, itemPath } from "./item-head.ts";
import { compressedOnce, sendReady } from "./ready-page.ts";

/** A sitemap may have no more addresses. */
const MAX_ADDRESSES = 50_000;

/**
 * Serves `/robots.txt`, which names the sitemap, and `/sitemap.xml` with the shown items and
 * categories.
 */
export function searchEngineRoutes(
  app: FastifyInstance,
  publicUrl: string,
  catalogue: Catalogue,
): void {
  // The link of an order leads to personal data.
  const robots = `User-agent: *\nDisallow: /order\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
  app.get("/robots.txt", (_request, reply) =>
    reply.type("text/plain; charset=utf-8").header("Cache-Control", "no-cache").send(robots),
  );

  /** The content of the sitemap, which is written again after a change. */
  let listed: ShownCatalogue | undefined;
  let sitemap = compressedOnce("");
  app.get("/sitemap.xml", (request, reply) => {
    const shown = catalogue.shown();
    if (shown !== listed) {
      listed = shown;
      sitemap = compressedOnce(sitemapOf(publicUrl, shown));
    }
    reply.type("application/xml; charset=utf-8").header("Cache-Control", "no-cache");
    return sendReady(request, reply, sitemap);
  });
}

function sitemapOf(publicUrl: string, { itemIds, categories }: ShownCatalogue): string {
  const ofCategories = categories.map(({ id }) => categoryPath(id));
  const paths = ["/", ...ofCategories, ...itemIds.map(itemPath)].slice(0, MAX_ADDRESSES);
  const addresses = paths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.join("")}</urlset>
`;
}
