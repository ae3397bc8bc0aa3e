import { type ImportedItem, importedItemSchema } from "@keepsats/protocol";

interface CheckedItem {
  /**
   * Without its invalid fields, so that planning the import reports missing fields too; `undefined`
   * if the id is invalid.
   */
  readonly item: ImportedItem | undefined;
  /** The errors, each with the path of its field. */
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

const nameless = { path: ["name"], message: "is required, because the item has no id" };

export function checkItem(fields: ReadonlyMap<string, unknown>): CheckedItem {
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
