import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.ts";

const executablePath = await findChromium();
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    // Traces cost much processor time. To see one of a failed test: playwright test --trace retain-on-failure e2e/shop.spec.ts
    trace: "off",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
