import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The path of the first of some programs that is installed, in the folders of `PATH` and then in
 * further ones.
 *
 * @returns `undefined` if none is
 */
export function findProgram(
  programs: readonly string[],
  further: readonly string[] = [],
): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...further].filter(
    (folder) => folder !== "",
  );
  return folders
    .flatMap((folder) => programs.map((program) => join(folder, program)))
    .find((path) => existsSync(path));
}
