import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules/.bin");

export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs steps one after another, and exits at the first failure. */
export function runSteps(steps: readonly Step[]): void {
  const path = `${bin}${delimiter}${process.env.PATH}`;
  for (const { name, command, args } of steps) {
    const started = Date.now();
    console.log(`\n▸ ${name}`);
    const { status } = spawnSync(command, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PATH: path },
      shell: process.platform === "win32",
    });
    if (status !== 0) {
      console.error(`\n✗ ${name} failed.`);
      process.exit(1);
    }
    console.log(`  ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

/** The checks of `npm run check`, which take seconds. */
export const quickSteps: readonly Step[] = [
  { name: "Types", command: "tsc", args: [] },
  { name: "Lint and format", command: "biome", args: ["ci", "."] },
  { name: "Words", command: "node", args: ["scripts/check-words.ts"] },
  { name: "Unused files, exports and dependencies", command: "knip", args: [] },
  { name: "Unit tests and arrows", command: "vitest", args: ["run", "--project", "unit"] },
];
