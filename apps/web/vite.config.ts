import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { firstPaint, themeColours } from "./first-paint.ts";

/**
 * What the page loads from the start: the entry with all that it imports, and the modules that several lazily loaded parts
 * share. A part must not import any other chunk: when a part fails it is asked for under another address, but what it
 * imports would be asked for under the same one, which browsers do not do twice. `test/builds.test.ts` names the chunk
 * that is missing here.
 */
const fromTheStart = [
  /apps\/web\/(?:index\.html|src\/main\.tsx)$/,
  /apps\/web\/src\/(?:lib\/order-link\.ts|ui\/summary\.tsx)$/,
  /lucide-react\/dist\/esm\/icons\/check\.m?js$/,
  /packages\/domain\/src\/(?:order-fields|order-price|shipping)\.ts$/,
  /packages\/protocol\/src\/stream-parameters\.ts$/,
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), themeColours(), firstPaint()],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "entry", test: (id) => fromTheStart.some((module) => module.test(id)) }],
        },
      },
    },
  },
});
