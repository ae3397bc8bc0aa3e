export type Name<Values> = Extract<keyof Values, string>;

/** The three versions of a form's values while colleagues may store new ones. */
export interface Versions<Values> {
  /** The stored values that the edits are based on. */
  readonly base: Values;
  /** The values that are stored now. */
  readonly stored: Values;
  /** The values that the fields show. */
  readonly typed: Values;
}

export interface Merged<Values> {
  readonly base: Values;
  readonly typed: Values;
  readonly edited: readonly Name<Values>[];
  /** The edited fields whose stored value has changed to yet another one. */
  readonly conflicts: readonly Name<Values>[];
}

/** Updates all fields that are not edited to the stored values. */
export function mergeEdits<Values extends object>({
  base,
  stored,
  typed,
}: Versions<Values>): Merged<Values> {
  const nextBase = { ...base };
  const shown = { ...typed };
  const edited: Name<Values>[] = [];
  const conflicts: Name<Values>[] = [];
  for (const name in stored) {
    if (isSame(typed[name], base[name]) || isSame(typed[name], stored[name])) {
      nextBase[name] = stored[name];
      shown[name] = stored[name];
    } else {
      edited.push(name);
      if (!isSame(base[name], stored[name])) conflicts.push(name);
    }
  }
  return { base: nextBase, typed: shown, edited, conflicts };
}

/**
 * The values that edits are based on after `saved` is stored. A field that was edited again during
 * the save keeps its edits without a conflict.
 */
export function afterSaving<Values extends object>(
  { base, stored, typed }: Versions<Values>,
  saved: Values,
): Values {
  const nextBase = { ...base };
  for (const name in stored) {
    if (isSame(saved[name], base[name])) continue;
    nextBase[name] = isSame(typed[name], saved[name]) ? typed[name] : stored[name];
  }
  return nextBase;
}

export function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}
