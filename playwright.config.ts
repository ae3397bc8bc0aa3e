import { join } from "node:path";
import { defineConfig, type PlaywrightTestProject } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.ts";

const executablePath = await findChromium();
const isRoot = process.getuid?.() === 0;

/**
 * The installed Firefox. It does not support `colorScheme` and similar options: see
 * e2e/fixtures/firefox.ts.
 */
const firefox: PlaywrightTestProject["use"] = {
  browserName: "firefox",
  channel: "moz-firefox",
  launchOptions: { executablePath: join(import.meta.dirname, "e2e/fixtures/firefox.ts") },
};

/**
 * Which engine runs which tests. Where Firefox or WebKitGTK is not installed, `npm test` lists its
 * tests as not run.
 *
 * | project | engine | tests | in |
 * | --- | --- | --- | --- |
 * | admin, shop | Chromium | all but those of the other rows | `npm test` |
 * | firefox | Firefox | one purchase | `npm test` |
 * | webkit | WebKitGTK | one purchase | `npm test` |
 * | firefox-more | Firefox | purchases, cart, order page, offline, printing, a day of the admin | `npm run test:engines` |
 */
const projects: PlaywrightTestProject[] = [
  // The longest tests first: at the end all workers have short ones.
  { name: "firefox", testMatch: /journey\.spec\.ts/, grep: /@purchase/, use: firefox },
  { name: "webkit", testMatch: /webkit\.spec\.ts/ },
  // One project per kind of shop, because a worker reuses its shop: each new worker starts a
  // browser, a server and a sandbox.
  { name: "admin", testMatch: /admin-.*\.spec\.ts/, testIgnore: /admin-print/ },
  { name: "shop", testIgnore: /(?:admin-.*|webkit)\.spec\.ts/ },
  {
    name: "firefox-more",
    testMatch: /\/(?:journey|cart|order|network|admin-print|admin-day)\.spec\.ts/,
    grepInvert: /@purchase|@chromium/,
    use: firefox,
  },
];

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 3,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["./scripts/outcome/playwright-reporter.ts"]],
  projects,
  use: {
    viewport: { width: 1280, height: 800 },
    // Traces cost much processor time. To see one of a failed test: playwright test --trace
    // retain-on-failure e2e/shop.spec.ts
    trace: "off",
    // Drawing animations takes a tenth of the processor time. The journeys, a day of the admin
    // and tests about motion run with it.
    reducedMotion: "reduce",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // No process in reserve for the next page, and pop-ups in the process of their opener.
        "--renderer-process-limit=1",
      ],
    },
  },
});
