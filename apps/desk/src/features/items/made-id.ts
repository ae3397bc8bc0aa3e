import { itemIdOf } from "@keepsats/domain";
import type { ItemDraft } from "./item-draft.ts";

/** Applies a change to a new item's draft. The id follows the name until it is edited. */
export function withMadeId(
  draft: ItemDraft,
  part: Partial<ItemDraft>,
  taken: readonly string[],
): Partial<ItemDraft> {
  if (part.name === undefined) return part;
  const isUntouched = draft.id === "" || draft.id === madeId(draft.name, taken);
  return isUntouched
    ? { ...part, id: part.name.trim() === "" ? "" : madeId(part.name, taken) }
    : part;
}

export function madeId(name: string, taken: readonly string[]): string {
  return itemIdOf(name, (id) => taken.includes(id));
}
