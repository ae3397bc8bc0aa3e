import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown } from "vite";
import { lazyUsers } from "../../scripts/lazy-chunks.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: chunkOf, debugName: "shared" }] } },
    },
  },
});

/**
 * The entry chunk has the code that Today shares with other screens, so that Today needs two files,
 * and one chunk the code that only the others share. Many small chunks are larger in sum, because
 * each is compressed alone.
 */
function chunkOf(id: string, modules: Rolldown.ChunkingContext): string | null {
  const users = lazyUsers(id, modules);
  if (users === undefined) return "entry";
  if (users.length < 2) return null;
  return users.some((user) => user.endsWith("/today-screen.tsx")) ? "entry" : "shared";
}
