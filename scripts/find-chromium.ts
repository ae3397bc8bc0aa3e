import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { aptInstall, type Command, findProgram, isDebianRoot } from "./programs.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/**
 * Chromium without windows, Playwright's default. It renders the same pages with a quarter less
 * processor time, because it draws no tabs and no address bar.
 */
const shell = "chromium-headless-shell";
const applicationPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** In this order: that of `CHROMIUM_PATH`, Playwright's, the system's. */
export async function findChromium(): Promise<string | undefined> {
  const named = namedChromium();
  if (named !== undefined) return named;
  const { chromium } = await import("@playwright/test");
  const own = chromium.executablePath();
  return existsSync(own)
    ? own
    : (findProgram(names) ?? applicationPaths.find((path) => existsSync(path)));
}

/** In this order: that of `CHROMIUM_PATH`, the system's headless shell, any Chromium. */
export async function findTestBrowser(): Promise<string | undefined> {
  return namedChromium() ?? findProgram([shell]) ?? (await findChromium());
}

/** @throws if `CHROMIUM_PATH` names no file */
function namedChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named === undefined || named === "") return undefined;
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM_PATH: got "${named}", expected the path of a Chromium that exists`);
}

/** @throws as {@link requireChromium} does */
export async function requireTestBrowser(): Promise<string> {
  const found = namedChromium() ?? findProgram([shell]);
  if (found !== undefined) return found;
  if (isDebianRoot()) {
    console.log("There is no headless shell of Chromium for the browser tests; installing one …");
    // Without it the tests only take longer, so the timeout is short, such as without a network.
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
  const cli = "node_modules/@playwright/test/cli.js";
  const installers: Command[] = [[process.execPath, cli, "install", "chromium"]];
  if (isDebianRoot()) installers.unshift(aptInstall("chromium", "fonts-liberation"));
  for (const installer of installers) {
    const installed = runInstaller(installer) ? await findChromium() : undefined;
    if (installed !== undefined) return installed;
  }
  throw new Error("A Chromium is needed: install one, or set CHROMIUM_PATH to where it is.");
}

/** @returns whether it succeeded within `timeout` milliseconds */
function runInstaller([command, ...args]: Command, timeout = 600_000): boolean {
  try {
    execFileSync(command, args, { stdio: "inherit", timeout });
    return true;
  } catch {
    return false;
  }
}
