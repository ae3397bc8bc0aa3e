import { existsSync } from "node:fs";
import { aptInstall, type Command, findProgram, isDebianRoot, runInstaller } from "./programs.ts";

/**
 * Chromium without windows, Playwright's default. It renders the same pages with a quarter less
 * processor time, because it draws no tabs and no address bar.
 */
const shell = "chromium-headless-shell";
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const applicationPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * In this order: that of `CHROMIUM_PATH`, the system's headless shell, Playwright's, the system's.
 *
 * @throws if `CHROMIUM_PATH` names no file
 */
export async function findChromium(): Promise<string | undefined> {
  const named = process.env.CHROMIUM_PATH ?? "";
  if (named !== "" && !existsSync(named))
    throw new Error(`CHROMIUM_PATH: got "${named}", expected the path of a Chromium that exists`);
  const { chromium } = await import("@playwright/test");
  const paths = [
    named,
    findProgram([shell]),
    chromium.executablePath(),
    findProgram(names),
    ...applicationPaths,
  ];
  return paths.find((path) => path !== undefined && existsSync(path));
}

/**
 * Finds a Chromium, or installs one: as root on Debian and Ubuntu the system's, otherwise
 * Playwright's.
 *
 * @throws if none can be installed; the message says what to install
 */
export async function requireChromium(): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  console.log("There is no Chromium; installing one …");
  const packages = isDebianRoot() ? [shell, "chromium"] : [];
  const installers: Command[] = [
    ...packages.map((name) => aptInstall(name, "fonts-liberation")),
    [process.execPath, "node_modules/@playwright/test/cli.js", "install", "chromium"],
  ];
  for (const installer of installers) {
    const installed = runInstaller(installer) ? await findChromium() : undefined;
    if (installed !== undefined) return installed;
  }
  throw new Error("A Chromium is needed: install one, or set CHROMIUM_PATH to where it is.");
}
