import { isApiError } from "@keepsats/client";
import type { ProblemCode } from "@keepsats/protocol";

export type Name<Values> = Extract<keyof Values, string>;

/** The values of a form while others may store new ones. */
export interface Versions<Values> {
  /** The stored values that the edits are based on. */
  readonly loaded: Values;
  /** The values that are stored now. */
  readonly stored: Values;
  /** The values that the fields show. */
  readonly typed: Values;
}

export interface Merged<Values> {
  readonly loaded: Values;
  readonly typed: Values;
  /** The fields with unsaved changes. */
  readonly edited: readonly Name<Values>[];
  /** The edited fields whose stored value has changed too, to a third one. */
  readonly conflicts: readonly Name<Values>[];
}

/** Takes the stored values into all fields that are not edited. */
export function mergeEdits<Values extends object>({
  loaded,
  stored,
  typed,
}: Versions<Values>): Merged<Values> {
  const base = { ...loaded };
  const shown = { ...typed };
  const edited: Name<Values>[] = [];
  const conflicts: Name<Values>[] = [];
  for (const name in stored) {
    if (isSame(typed[name], loaded[name]) || isSame(typed[name], stored[name])) {
      base[name] = stored[name];
      shown[name] = stored[name];
    } else {
      edited.push(name);
      if (!isSame(loaded[name], stored[name])) conflicts.push(name);
    }
  }
  return { loaded: base, typed: shown, edited, conflicts };
}

/**
 * The values that edits are based on once `saved` is stored: a field that was edited again while
 * it was being saved keeps its edits, without a conflict.
 */
export function afterSaving<Values extends object>(
  { loaded, stored, typed }: Versions<Values>,
  saved: Values,
): Values {
  const base = { ...loaded };
  for (const name in stored) {
    if (isSame(saved[name], loaded[name])) continue;
    base[name] = isSame(typed[name], saved[name]) ? typed[name] : stored[name];
  }
  return base;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** How often a change is sent that is refused because of changes to other fields. */
const ATTEMPTS = 5;
/** The refusals of a change that was made to values which are not stored any more. */
const CHANGED: readonly (ProblemCode | undefined)[] = [
  "settings_changed",
  "item_changed",
  "order_changed",
  "webhook_changed",
];

export interface Shop<Stored, Output> {
  /** Stores the changes if what they replace is still as in `stored`. */
  readonly write: (changes: Partial<Output>, stored: Stored) => Promise<Stored>;
  /** `undefined` if `write` never refuses because of a change by others. */
  readonly read?: (() => Promise<Stored>) | undefined;
}

interface Edits<Values, Stored, Output> extends Pick<Versions<Values>, "loaded" | "typed"> {
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Values;
  /** The validated `typed`, at least the edited fields. */
  readonly output: Partial<Output>;
}

/**
 * Saves the edited fields, unless one of them has a conflict. Changes of others to other fields
 * stay.
 *
 * @returns the record as it is stored then; `undefined` if there is a conflict
 * @throws {ApiError} as `write` and `read` throw it
 */
export async function saveEdits<Values extends object, Stored, Output extends object>(
  { write, read }: Shop<Stored, Output>,
  { record, valuesOf, output, loaded, typed }: Edits<Values, Stored, Output>,
): Promise<Stored | undefined> {
  let stored = record;
  for (let left = ATTEMPTS; ; left -= 1) {
    const versions = { loaded, stored: valuesOf(stored), typed };
    const { edited, conflicts } = mergeEdits(versions);
    if (conflicts.length > 0) return undefined;
    if (edited.length === 0) return stored;
    try {
      return await write(picked(output, edited), stored);
    } catch (error) {
      const isChanged = isApiError(error) && CHANGED.includes(error.problem?.code);
      if (left <= 1 || !isChanged || read === undefined) throw error;
      stored = await read();
    }
  }
}

function picked<Output extends object>(
  output: Partial<Output>,
  names: readonly string[],
): Partial<Output> {
  const part: Partial<Output> = {};
  for (const name in output) if (names.includes(name)) part[name] = output[name];
  return part;
}
