import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown } from "vite";
import { lazyUsers } from "../../scripts/lazy-chunks.ts";
import { prerender } from "./prerender.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), prerender()],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: (id, modules) => (isInEntry(id, modules) ? "entry" : null),
              debugName: "entry",
            },
          ],
        },
      },
    },
  },
});

/**
 * Whether a module belongs to the entry chunk: the entry imports it, or several lazy chunks do. The
 * chunk of a lazy component must import no other lazy chunk: a retry loads the component from a new
 * URL, but would load its imports from the old one, which a browser does not fetch again after a
 * failure. One shared chunk also makes the first paint earlier than two.
 */
function isInEntry(id: string, modules: Rolldown.ChunkingContext): boolean {
  const users = lazyUsers(id, modules);
  return users === undefined || users.length > 1;
}
