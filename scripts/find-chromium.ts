import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall, type Command, isDebianRoot } from "./apt.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Finds a Chromium for the browser tests: that of `CHROMIUM_PATH`, the system's, or Playwright's. */
export async function findChromium(): Promise<string | undefined> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH: got "${named}", takes the path of a Chromium that exists`);
  }
  const { chromium } = await import("@playwright/test");
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places].find((path) =>
    existsSync(path),
  );
}

/**
 * Finds a Chromium, or installs one: Playwright's, or as root on Debian and Ubuntu the system's.
 *
 * @throws if none can be installed; the message says what to install
 */
export async function requireChromium(): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  console.log("There is no Chromium for the browser tests; installing one …");
  for (const [command, ...args] of installers()) {
    try {
      execFileSync(command, args, { stdio: "inherit", timeout: 600_000 });
    } catch {
      continue;
    }
    const installed = await findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error("The browser tests need a Chromium: install one, or set CHROMIUM_PATH to where it is.");
}

function installers(): Command[] {
  const playwright: Command = [
    process.execPath,
    "node_modules/@playwright/test/cli.js",
    "install",
    "chromium",
  ];
  return isDebianRoot() ? [aptInstall("chromium", "fonts-liberation"), playwright] : [playwright];
}
