import { isApiError } from "@keepsats/client";
import type { ProblemCode } from "@keepsats/protocol";

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

/** How often a change is sent that the server refuses because the record has changed. */
const ATTEMPTS = 5;
/** The refusals of a change to a record that is no longer current. */
const CHANGED: readonly (ProblemCode | undefined)[] = [
  "settings_changed",
  "item_changed",
  "order_changed",
  "webhook_changed",
];

export interface RecordStore<Stored, Output> {
  /** Stores the changes if the fields that they replace are still as in `stored`. */
  readonly write: (changes: Partial<Output>, stored: Stored) => Promise<Stored>;
  /** `undefined` if `write` never refuses because the record has changed. */
  readonly read?: (() => Promise<Stored>) | undefined;
}

interface Edits<Values, Stored, Output> extends Pick<Versions<Values>, "base" | "typed"> {
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Values;
  /** The validated `typed`, at least the edited fields. */
  readonly output: Partial<Output>;
}

/**
 * Saves the edited fields, unless one of them has a conflict. Changes that colleagues made to other
 * fields are kept.
 *
 * @returns the stored record; `undefined` if there is a conflict
 * @throws {ApiError} from `write` and `read`
 */
export async function saveEdits<Values extends object, Stored, Output extends object>(
  { write, read }: RecordStore<Stored, Output>,
  { record, valuesOf, output, base, typed }: Edits<Values, Stored, Output>,
): Promise<Stored | undefined> {
  let stored = record;
  for (let left = ATTEMPTS; ; left -= 1) {
    const versions = { base, stored: valuesOf(stored), typed };
    const { edited, conflicts } = mergeEdits(versions);
    if (conflicts.length > 0) return undefined;
    if (edited.length === 0) return stored;
    try {
      return await write(pick(output, edited), stored);
    } catch (error) {
      const isChanged = isApiError(error) && CHANGED.includes(error.problem?.code);
      if (left <= 1 || !isChanged || read === undefined) throw error;
      stored = await read();
    }
  }
}

function pick<Output extends object>(
  output: Partial<Output>,
  names: readonly string[],
): Partial<Output> {
  const part: Partial<Output> = {};
  for (const name in output) if (names.includes(name)) part[name] = output[name];
  return part;
}
