/** One replacement in a file of the shop; `find` must occur there exactly once. */
interface Edit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A bug that is put into the shop on purpose, and that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** The rules that it breaks. */
  readonly rules: readonly [string, ...string[]];
  readonly edits: readonly Edit[];
  /**
   * The seed with which the search begins, because it has found the bug before; 1 without. The next
   * seeds follow.
   */
  readonly seed?: number;
  /**
   * Whether finding it takes many seeds, or a quicker one breaks the same rule. Such a bug is
   * searched for only by `npm run simulate -- --planted`.
   */
  readonly isSlow?: boolean;
}

/** The folder of most edits. */
export const server = "apps/server/src";
