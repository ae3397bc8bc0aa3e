import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { firstPaint, themeColours } from "./first-paint.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), themeColours(), firstPaint()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
