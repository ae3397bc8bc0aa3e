import { join } from "node:path";
import { createServer, type Plugin } from "vite";

// Serves an app from its source, for "npm run dev": dev-vite.ts APP PORT SERVER. Requests of the API
// go to the server at the URL SERVER.
const [app = "", port, server = ""] = process.argv.slice(2);

/** Fills the storefront's page with the shop's name and settings, as the server does. */
const pageConfig: Plugin = {
  name: "keepsats-page-config",
  transformIndexHtml: {
    order: "pre",
    async handler(html) {
      const served = await (await fetch(`${server}/`)).text();
      const block = /<script type="application\/json"[\s\S]*?<\/script>/.exec(served)?.[0] ?? "";
      const name = /<title>([\s\S]*?)<\/title>/.exec(served)?.[1] ?? "Keepsats";
      return html
        .replaceAll("__SHOP_NAME__", () => name)
        .replace("<!-- page-config -->", () => block);
    },
  },
};

const vite = await createServer({
  configFile: join(import.meta.dirname, "../apps", app, "vite.config.ts"),
  plugins: app === "storefront" ? [pageConfig] : [],
  server: {
    port: Number(port),
    strictPort: true,
    proxy: { "/api": { target: server, ws: true }, "/pictures": { target: server } },
  },
});
await vite.listen();
