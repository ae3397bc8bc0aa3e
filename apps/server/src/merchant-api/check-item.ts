import { type ImportedItem, importedItemSchema } from "@keepsats/protocol";

interface CheckedItem {
  /** Without the fields that are wrong, so that planning the import finds what else the item lacks; `undefined` if its id is wrong. */
  readonly item: ImportedItem | undefined;
  /** What is wrong; the path is that of the field. */
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

const nameless = { path: ["name"], message: "is required, because the item has no id" };

/** Checks an item of an import. */
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
