import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { firstPaint, themeColours } from "./first-paint.ts";
import {
  withoutInfiniteQueries,
  withoutPreloading,
  withoutUnusedRouterCode,
  withPlainIcons,
} from "./unused-code.ts";

/**
 * The modules of the entry chunk: the entry with its imports, and the modules that several lazy
 * components share. The chunk of a lazy component must not import any other chunk: a retry loads
 * the component from a new address, but would load its imports from the old address, which a
 * browser does not fetch again after a failure. The build fails then, and names the modules that
 * are missing here.
 */
const entryModules = [
  /apps\/web\/(?:index\.html|src\/main\.tsx)$/,
  /apps\/web\/src\/(?:app\/use-complete-purchase\.ts|lib\/order-link\.ts|ui\/summary\.tsx)$/,
  /lucide-react\/dist\/esm\/icons\/(?:check|chevron-down)\.m?js$/,
  /packages\/ui\/src\/modal\.tsx$/,
  /packages\/domain\/src\/(?:order-fields|order-price|shipping)\.ts$/,
  /packages\/protocol\/src\/(?:own-order|stream-parameters)\.ts$/,
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    themeColours(),
    firstPaint(),
    withoutUnusedRouterCode(),
    withPlainIcons(),
    withoutInfiniteQueries(),
    withoutPreloading(),
  ],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "entry", test: (id) => entryModules.some((module) => module.test(id)) }],
        },
      },
    },
  },
});
