import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mutant, mutate } from "./mutants.ts";

/** Finds the mutants that the type checker refuses. */
export interface Compiler {
  refuses(mutant: Mutant): boolean;
  close(): void;
}

/**
 * Works on a copy of the repository at `root`. @throws if the type checker refuses the unchanged
 * source
 */
export function createCompiler(root: string): Compiler {
  const copy = mkdtempSync(join(tmpdir(), "keepsats-mutate-"));
  const modules = join(root, "node_modules");
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => path !== modules && path !== join(root, ".git") && !path.endsWith("/dist"),
  });
  symlinkSync(modules, join(copy, "node_modules"));
  const passes = () => spawnSync(join(modules, ".bin/tsc"), { cwd: copy }).status === 0;
  const close = () => rmSync(copy, { recursive: true });
  if (!passes()) {
    close();
    throw new Error("the type checker refuses the unchanged source");
  }
  return {
    refuses(mutant) {
      const path = join(copy, mutant.file);
      const source = readFileSync(path, "utf8");
      writeFileSync(path, mutate(source, mutant));
      const refused = !passes();
      writeFileSync(path, source);
      return refused;
    },
    close,
  };
}
