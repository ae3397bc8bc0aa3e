import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { aptInstall, type Command, isDebianRoot } from "./apt.ts";
import { findProgram } from "./find-program.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/**
 * Chromium without windows of its own, in which Playwright runs tests unless it is told otherwise.
 * Its pages are those of Chromium; a page costs a quarter less processor time, because no window
 * with tabs and an address bar is made for it.
 */
const shell = "chromium-headless-shell";
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Finds a Chromium: that of `CHROMIUM_PATH`, Playwright's, or the system's. */
export async function findChromium(): Promise<string | undefined> {
  const named = namedChromium();
  if (named !== undefined) return named;
  const { chromium } = await import("@playwright/test");
  const own = chromium.executablePath();
  return existsSync(own) ? own : (findProgram(names) ?? places.find((path) => existsSync(path)));
}

/**
 * Finds the browser for the tests: that of `CHROMIUM_PATH`, the system's headless shell, or any
 * Chromium.
 */
export async function findTestBrowser(): Promise<string | undefined> {
  return namedChromium() ?? findProgram([shell]) ?? (await findChromium());
}

/** @throws if `CHROMIUM_PATH` names no file */
function namedChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named === undefined || named === "") return undefined;
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM_PATH: got "${named}", takes the path of a Chromium that exists`);
}

/** Finds or installs the browser for the tests. @throws as {@link requireChromium} does */
export async function requireTestBrowser(): Promise<string> {
  const found = namedChromium() ?? findProgram([shell]);
  if (found !== undefined) return found;
  if (isDebianRoot()) {
    console.log("There is no headless shell of Chromium for the browser tests; installing one …");
    // Without it the tests only take longer, so nothing waits long for a network that is not there.
    runInstaller(aptInstall(shell, "fonts-liberation"), 120_000);
  }
  return (await findTestBrowser()) ?? requireChromium();
}

/**
 * Finds a Chromium, or installs one: Playwright's, or as root on Debian and Ubuntu the system's.
 *
 * @throws if none can be installed; the message says what to install
 */
export async function requireChromium(): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  console.log("There is no Chromium; installing one …");
  for (const installer of installers()) {
    const installed = runInstaller(installer) ? await findChromium() : undefined;
    if (installed !== undefined) return installed;
  }
  throw new Error("A Chromium is needed: install one, or set CHROMIUM_PATH to where it is.");
}

/** @returns whether it has succeeded within `timeout` milliseconds */
function runInstaller([command, ...args]: Command, timeout = 600_000): boolean {
  try {
    execFileSync(command, args, { stdio: "inherit", timeout });
    return true;
  } catch {
    return false;
  }
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
