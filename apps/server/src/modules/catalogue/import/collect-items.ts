import type { FieldError } from "@keepsats/domain";
import {
  duplicateItem,
  type ImportedItem,
  importedItemSchema,
  MAX_PICTURES,
} from "@keepsats/protocol";

/** The most errors that are reported. What follows them is not checked. */
export const MAX_ERRORS = 100;

/** More than an item has. */
const MAX_FIELDS = 20;
/** More than any text of an item may have, in characters. */
const MAX_TEXT = 8_192;
/** In characters: a message names unknown fields. */
const MAX_MESSAGE = 1_000;

/** The valid items of an import, and the errors of the others. */
export interface CollectedItems {
  readonly items: readonly ImportedItem[];
  /** The path of each item in the body, such as `items.0`, or `lines.2` in CSV. */
  readonly paths: readonly string[];
  /** At most {@link MAX_ERRORS}. */
  readonly errors: readonly FieldError[];
}

/** Validates the items of an import one at a time. */
export function createItemCollector() {
  const items: ImportedItem[] = [];
  const paths: string[] = [];
  const errors: FieldError[] = [];
  const ids = new Set<string>();

  function fail(path: string, message: string): void {
    if (errors.length < MAX_ERRORS) errors.push({ path, message: message.slice(0, MAX_MESSAGE) });
  }

  return {
    collected: { items, paths, errors },
    fail,
    add(fields: object, path: string): void {
      const { item, issues } = checkItem(fields);
      for (const issue of issues) fail([path, ...issue.path].join("."), issue.message);
      if (item === undefined) return;
      if (item.id !== undefined) {
        if (ids.has(item.id)) return fail(`${path}.id`, duplicateItem);
        ids.add(item.id);
      }
      items.push(item);
      paths.push(path);
    },
  };
}

interface CheckedItem {
  readonly item?: ImportedItem;
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

const nameless = { path: ["name"], message: "is required, because the item has no id" };

const tooManyFields = { path: [], message: `must have at most ${MAX_FIELDS} fields` };

/** Replaces values whose validation would take long by others that are invalid, too. */
function bounded(value: unknown): unknown {
  // Not truncated: a word followed by many blanks would become valid.
  if (typeof value === "string" && value.length > MAX_TEXT) return "x".repeat(MAX_TEXT);
  if (Array.isArray(value)) return value.slice(0, MAX_PICTURES + 1).map(bounded);
  return value;
}

function checkItem(given: object): CheckedItem {
  if (!Object.hasOwn(given, "id") && !Object.hasOwn(given, "name")) return { issues: [nameless] };
  if (Object.keys(given).length > MAX_FIELDS) return { issues: [tooManyFields] };
  const fields = Object.entries(given).map(([name, value]) => [name, bounded(value)]);
  const { data, error } = importedItemSchema.safeParse(Object.fromEntries(fields));
  return error === undefined ? { item: data, issues: [] } : { issues: error.issues };
}
