import type { FieldError } from "@keepsats/domain";
import { duplicateItem, type ImportedItem, importedItemSchema } from "@keepsats/protocol";

/** The most errors that are reported. What follows them is not checked. */
export const MAX_ERRORS = 100;

/** Validates the items of an import one at a time, and collects them with their errors. */
export interface ItemCollector {
  readonly items: readonly ImportedItem[];
  /** The position of each item in the file. */
  readonly positions: readonly number[];
  /** At most {@link MAX_ERRORS}. */
  readonly errors: readonly FieldError[];
  fail(path: string, message: string): void;
  /**
   * Collects an item without its invalid fields, so that planning the import can report missing
   * fields too. An item with an invalid or repeated id is only reported.
   */
  add(fields: ReadonlyMap<string, unknown>, path: string, position: number): void;
}

export function createItemCollector(): ItemCollector {
  const items: ImportedItem[] = [];
  const positions: number[] = [];
  const errors: FieldError[] = [];
  const ids = new Set<string>();

  function fail(path: string, message: string): void {
    if (errors.length < MAX_ERRORS) errors.push({ path, message });
  }

  return {
    items,
    positions,
    errors,
    fail,
    add(fields, path, position) {
      const { item, issues } = checkItem(fields);
      for (const issue of issues) fail([path, ...issue.path].join("."), issue.message);
      if (item === undefined) return;
      if (item.id !== undefined) {
        if (ids.has(item.id)) return fail(`${path}.id`, duplicateItem);
        ids.add(item.id);
      }
      items.push(item);
      positions.push(position);
    },
  };
}

interface CheckedItem {
  /** Without its invalid fields; `undefined` if the id is invalid. */
  readonly item: ImportedItem | undefined;
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

const nameless = { path: ["name"], message: "is required, because the item has no id" };

function checkItem(fields: ReadonlyMap<string, unknown>): CheckedItem {
  if (!fields.has("id") && !fields.has("name")) return { item: undefined, issues: [nameless] };
  const checked = importedItemSchema.safeParse(Object.fromEntries(fields));
  if (checked.success) return { item: checked.data, issues: [] };
  const { issues } = checked.error;
  const wrong = new Set(issues.map(({ path }) => path[0]));
  if (wrong.has("id")) return { item: undefined, issues };
  const right = importedItemSchema.safeParse(
    Object.fromEntries([...fields].filter(([name]) => !wrong.has(name))),
  );
  return { item: right.data, issues };
}
