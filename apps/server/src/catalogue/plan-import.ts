import { setImmediate as othersTurn } from "node:timers/promises";
import { dollarsFromCents, type FieldError } from "@keepsats/domain";
import type { ImportAnswer, ImportedItem, ItemChange } from "@keepsats/protocol";
import { addedItem, type Item, isSameItem, itemFields, patchedItem } from "./item.ts";
import { isMissingPicture, missingPicture } from "./pictures.ts";

/** After so many items others get a turn. */
const ITEMS_AT_A_TIME = 500;

/** What an import does to the catalogue. */
export interface ImportPlan {
  readonly answer: ImportAnswer;
  /** Known items that keep their place and change otherwise. */
  readonly updates: readonly Item[];
  /** All items from the first place where the order changes, in their new order; they are deleted and stored again. */
  readonly tail: readonly Item[];
}

type Planned =
  | { readonly kind: "planned"; readonly plan: ImportPlan }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/**
 * Decides what an import changes. Nothing that it does not mention changes, neither fields nor items.
 *
 * @param known the whole catalogue in its order
 * @param imported no id twice
 * @param pictures the paths of the shop's own pictures
 */
export async function planImport(
  known: readonly Item[],
  imported: readonly ImportedItem[],
  pictures: ReadonlySet<string>,
): Promise<Planned> {
  const knownById = new Map(known.map((item) => [item.id, item]));
  const after = new Map(knownById);
  const errors: FieldError[] = [];
  const changes: ItemChange[] = [];
  for (const [index, written] of imported.entries()) {
    if (index % ITEMS_AT_A_TIME === ITEMS_AT_A_TIME - 1) await othersTurn();
    const before = knownById.get(written.id);
    const merged = mergedItem(before, written, pictures);
    if (merged.kind === "invalid") {
      errors.push(...merged.errors.map(({ path, message }) => ({ path: `items.${index}.${path}`, message })));
      continue;
    }
    after.set(written.id, merged.item);
    const change = changeOf(before, merged.item);
    if (change !== undefined) changes.push(change);
  }
  if (errors.length > 0) return { kind: "invalid", errors };
  return { kind: "planned", plan: planOf(known, imported, { after, changes }) };
}

function mergedItem(
  before: Item | undefined,
  written: ImportedItem,
  pictures: ReadonlySet<string>,
): { kind: "item"; item: Item } | { kind: "invalid"; errors: readonly FieldError[] } {
  const merged = before === undefined ? addedItem(written) : { item: patchedItem(before, written) };
  if ("missing" in merged) {
    const message = "is needed, for there is no item with this id yet";
    return { kind: "invalid", errors: merged.missing.map((path) => ({ path, message })) };
  }
  if (isMissingPicture(merged.item, before, pictures)) return { kind: "invalid", errors: [missingPicture] };
  return { kind: "item", item: merged.item };
}

function planOf(
  known: readonly Item[],
  imported: readonly ImportedItem[],
  { after, changes }: { after: ReadonlyMap<string, Item>; changes: readonly ItemChange[] },
): ImportPlan {
  const added = new Set(changes.filter(({ kind }) => kind === "added").map(({ id }) => id));
  const order = orderAfter(
    known.map(({ id }) => id),
    imported.map(({ id }) => id),
    added,
  );
  const first = order.findIndex((id, place) => known[place]?.id !== id);
  const kept = first === -1 ? order.length : first;
  const changed = new Set(changes.map(({ id }) => id));
  const itemsOf = (ids: readonly string[]) => ids.flatMap((id) => after.get(id) ?? []);
  return {
    updates: itemsOf(order.slice(0, kept).filter((id) => changed.has(id))),
    tail: itemsOf(order.slice(kept)),
    answer: {
      added: added.size,
      changed: changes.length - added.size,
      unchanged: imported.length - changes.length,
      reordered: order.filter((id) => !added.has(id)).some((id, place) => known[place]?.id !== id),
      changes: [...changes],
    },
  };
}

/**
 * The order of the catalogue after an import. The known items of the file share the places that they had, in the file's
 * order; a new one stands right behind the item before it in the file. All others keep their places.
 *
 * @example orderAfter(["a", "b", "c"], ["c", "new", "a"], new Set(["new"])) // ["c", "new", "b", "a"]
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

const wireNames = {
  name: "name",
  description: "description",
  price: "price",
  imageUrl: "image_url",
  hidden: "hidden",
} as const;

function changeOf(before: Item | undefined, item: Item): ItemChange | undefined {
  const { id, name } = item;
  if (before === undefined) return { kind: "added", id, name };
  if (isSameItem(before, item)) return undefined;
  const wire = ({ price, ...rest }: Item) => ({ ...rest, price: dollarsFromCents(price) });
  const [from, to] = [wire(before), wire(item)];
  const changed = itemFields.filter((field) => from[field] !== to[field]);
  return {
    kind: "changed",
    id,
    name,
    fields: changed.map((field) => ({ field: wireNames[field], from: from[field], to: to[field] })),
  };
}
