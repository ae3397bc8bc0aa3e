import { chromium } from "@playwright/test";
import { expect, test } from "vitest";
import config from "../playwright.config.ts";

/**
 * The features of each `--disable-features` with which Playwright starts a browser, in their order.
 */
async function disabledFeatures(): Promise<string[][]> {
  // Node.js takes no such options and ends; Playwright's error says with which ones it was started.
  const launch = chromium.launch({
    ...config.use?.launchOptions,
    executablePath: process.execPath,
  });
  const said = await launch.then(
    () => "",
    (error: Error) => error.message,
  );
  const [started = ""] = said.match(/<launching>.*/) ?? [];
  return Array.from(started.matchAll(/ --disable-features=(\S+)/g), ([, list = ""]) =>
    list.split(","),
  );
}

test("browser tests run without all features that Playwright disables", async () => {
  const [ofPlaywright, ofConfig, ...others] = await disabledFeatures();
  expect(ofPlaywright).toContain("PaintHolding");
  expect(ofConfig).toEqual(expect.arrayContaining(ofPlaywright ?? []));
  expect(others).toEqual([]);
});
