import { join } from "node:path";
import { createServer } from "vite";

const server = process.env.KEEPSATS_DESK_SERVER ?? "http://localhost:3012";
const port = Number(process.env.KEEPSATS_DESK_PORT ?? "3002");
const root = join(import.meta.dirname, "../apps/desk");

const vite = await createServer({
  configFile: join(root, "vite.config.ts"),
  server: { port, strictPort: true, proxy: { "/api": { target: server, ws: true } } },
});
await vite.listen();
