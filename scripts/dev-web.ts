import { join } from "node:path";
import { createServer } from "vite";

const server = process.env.KEEPSATS_SERVER ?? "http://localhost:3010";
const port = Number(process.env.KEEPSATS_WEB_PORT ?? "3000");
const root = join(import.meta.dirname, "../apps/web");

/** Serves the page with the settings of the shop's server. */
async function withSettings(html: string): Promise<string> {
  const served = await (await fetch(`${server}/`)).text();
  const block = /<script type="application\/json"[\s\S]*?<\/script>/.exec(served)?.[0] ?? "";
  const name = /<title>([\s\S]*?)<\/title>/.exec(served)?.[1] ?? "Keepsats";
  return html.replaceAll("__SHOP_NAME__", () => name).replace("<!-- page-config -->", () => block);
}

const vite = await createServer({
  configFile: join(root, "vite.config.ts"),
  plugins: [
    { name: "keepsats-settings", transformIndexHtml: { order: "pre", handler: withSettings } },
  ],
  server: {
    port,
    strictPort: true,
    proxy: { "/api": { target: server, ws: true }, "/pictures": { target: server } },
  },
});
await vite.listen();
