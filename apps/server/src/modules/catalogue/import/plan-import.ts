import { type FieldError, itemIdOf, itemTitle } from "@keepsats/domain";
import type { ImportAnswer, ImportedItem, ItemChange } from "@keepsats/protocol";
import { Refusal } from "../../../platform/refusal.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import {
  alikeIdError,
  blankItem,
  changedFields,
  type Item,
  type ItemField,
  patchedItem,
} from "../item.ts";
import { variantErrors } from "../item-variants.ts";
import { checkReferences, type References } from "../references.ts";
import { MAX_ERRORS } from "./collect-items.ts";

export interface ImportPlan {
  readonly answer: ImportAnswer;
  /** Known items that change and keep their positions. */
  readonly updates: readonly Item[];
  /**
   * All items from the first position where the order changes, in their new order. They are moved
   * to the end of the catalogue.
   */
  readonly tail: readonly Item[];
  /** The items whose stock the import changes. */
  readonly withNewStock: ReadonlySet<string>;
  /** The items that are counted before or after the import. */
  readonly counted: ReadonlySet<string>;
}

/** An imported item with the id that was given or derived from its name. */
type NamedItem = ImportedItem & { readonly id: string };

/**
 * Decides what an import changes. Items and fields that it does not mention stay as they are.
 *
 * @param known the whole catalogue in its order
 * @param imported each id at most once
 * @param itemPaths the paths of these items in the errors
 */
export async function planImport(
  known: readonly Item[],
  imported: readonly ImportedItem[],
  references: References,
  itemPaths: readonly string[] = imported.map((_, index) => `items.${index}`),
): Promise<ImportPlan | Refusal> {
  const yieldToEventLoop = createYield({ share: 1 });
  const knownById = new Map(known.map((item) => [item.id, item]));
  const after = new Map(knownById);
  const idsInLowerCase = new Map(known.map(({ id }) => [id.toLowerCase(), id]));
  const errors: FieldError[][] = imported.map(() => []);
  const changes: ItemChange[] = [];
  const makeId = createMakeId(known, imported);
  const named: NamedItem[] = [];
  const report = (index: number, found: readonly FieldError[]) => {
    for (const { path, message } of found)
      errors[index]?.push({ path: `${itemPaths[index]}.${path}`, message });
  };
  for (const [index, row] of imported.entries()) {
    await yieldToEventLoop();
    const written = { ...row, id: row.id ?? makeId(row.name ?? "") };
    named.push(written);
    const before = knownById.get(written.id);
    const alike = idsInLowerCase.get(written.id.toLowerCase());
    if (before === undefined && alike !== undefined) {
      report(index, [alikeIdError(alike)]);
      continue;
    }
    idsInLowerCase.set(written.id.toLowerCase(), written.id);
    const merged = mergedItem(before, written, references);
    report(index, merged.errors);
    if (merged.item === undefined || merged.errors.length > 0) continue;
    after.set(written.id, merged.item);
    const change = changeOf(before, merged.item);
    if (change !== undefined) changes.push(change);
  }
  const mains = new Set([...after.values()].map(({ variant_of }) => variant_of));
  for (const [index, { id }] of named.entries()) {
    const item = after.get(id);
    if (item === undefined) continue;
    const main = item.variant_of === null ? undefined : after.get(item.variant_of);
    const facts = { main, hasVariants: mains.has(id) };
    report(index, variantErrors(item, knownById.get(id), facts));
  }
  const reported = errors.flat().slice(0, MAX_ERRORS);
  if (reported.length > 0) return new Refusal("invalid", { errors: reported });
  return planOf(known, named, { after, changes });
}

/**
 * Derives an item's id from its name. If the catalogue has an item with that id and name, it is the
 * same item, so importing a file twice adds nothing twice.
 */
function createMakeId(
  known: readonly Item[],
  imported: readonly ImportedItem[],
): (name: string) => string {
  const knownByLowerId = new Map(known.map((item) => [item.id.toLowerCase(), item]));
  const taken = new Set(imported.flatMap(({ id }) => id?.toLowerCase() ?? []));
  return (name) => {
    const id = itemIdOf(name, (wanted) => {
      const alike = knownByLowerId.get(wanted);
      const isOther = alike !== undefined && (alike.id !== wanted || alike.name !== name);
      return taken.has(wanted) || isOther;
    });
    taken.add(id);
    return id;
  };
}

/** The fields without which no item can be added. */
const needed = ["name", "description", "price", "image_url"] as const;

function mergedItem(
  before: Item | undefined,
  written: NamedItem,
  references: References,
): { readonly item?: Item; readonly errors: readonly FieldError[] } {
  const missing = needed.filter((field) => before === undefined && written[field] === undefined);
  const message = "is required, because there is no item with this id yet";
  if (missing.length > 0) return { errors: missing.map((path) => ({ path, message })) };
  return checkReferences(patchedItem(before ?? blankItem(written.id), written), before, references);
}

function planOf(
  known: readonly Item[],
  imported: readonly NamedItem[],
  { after, changes }: { after: ReadonlyMap<string, Item>; changes: readonly ItemChange[] },
): ImportPlan {
  const added = new Set(changes.filter(({ kind }) => kind === "added").map(({ id }) => id));
  const order = orderAfter(
    known.map(({ id }) => id),
    imported.map(({ id }) => id),
    added,
  );
  const first = order.findIndex((id, position) => known[position]?.id !== id);
  const kept = first === -1 ? order.length : first;
  const changed = new Set(changes.map(({ id }) => id));
  const itemsOf = (ids: readonly string[]) => ids.flatMap((id) => after.get(id) ?? []);
  return {
    updates: itemsOf(order.slice(0, kept).filter((id) => changed.has(id))),
    tail: itemsOf(order.slice(kept)),
    withNewStock: new Set(changes.filter(changesStock).map(({ id }) => id)),
    counted: new Set(
      [...known, ...after.values()].flatMap(({ id, stock }) => (stock === null ? [] : id)),
    ),
    answer: {
      added: added.size,
      changed: changes.length - added.size,
      unchanged: imported.length - changes.length,
      reordered: order
        .filter((id) => !added.has(id))
        .some((id, position) => known[position]?.id !== id),
      changes: [...changes],
    },
  };
}

function changesStock(change: ItemChange): boolean {
  return change.kind === "changed" && change.fields.some(({ field }) => field === "stock");
}

/**
 * Returns the order of the catalogue after an import. The known items of the file keep their
 * positions as a group, in the order of the file. A new item follows the item before it in the file.
 * All other items keep their positions.
 *
 * @example orderAfter(["a", "b", "c"], ["c", "new", "a"], new Set(["new"])) // ["c", "new", "b",
 *   "a"]
 */
export function orderAfter(
  known: readonly string[],
  imported: readonly string[],
  added: ReadonlySet<string>,
): string[] {
  const ahead: string[] = [];
  const groups: string[][] = [];
  for (const id of imported) {
    if (!added.has(id)) groups.push([id]);
    else (groups.at(-1) ?? ahead).push(id);
  }
  if (groups.length === 0) return [...known, ...ahead];
  const mentioned = new Set(imported);
  groups[0]?.unshift(...ahead);
  let next = 0;
  return known.flatMap((id) => (mentioned.has(id) ? (groups[next++] ?? []) : id));
}

function changeOf(before: Item | undefined, item: Item): ItemChange | undefined {
  const { id } = item;
  const name = itemTitle(item);
  if (before === undefined) return { kind: "added", id, name };
  const changed = changedFields(before, item);
  if (changed.length === 0) return undefined;
  return {
    kind: "changed",
    id,
    name,
    fields: changed.map((field) => changedField(field, before, item)),
  };
}

function changedField<Field extends ItemField>(
  field: Field,
  before: Item,
  item: Item,
): FieldChanges<Field> {
  return { field, from: before[field], to: item[field] };
}

/** A field before and after: a union, so that the values have the type of their field. */
type FieldChanges<Fields extends ItemField> = {
  [Field in Fields]: {
    readonly field: Field;
    readonly from: Item[Field];
    readonly to: Item[Field];
  };
}[Fields];
