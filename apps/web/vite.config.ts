import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { firstPaint, themeColours } from "./first-paint.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), themeColours(), firstPaint()],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What several chunks share is loaded with the page. The chunk of a lazy component must
          // import no other lazy chunk: a retry loads the component from a new address, but would
          // load its imports from the old address, which a browser does not fetch again after a
          // failure.
          groups: [{ name: "shared", minShareCount: 2 }],
        },
      },
    },
  },
});
