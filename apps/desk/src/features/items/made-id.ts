import { itemIdOf } from "@keepsats/domain";
import type { ItemDraft } from "./item-draft.ts";

/** The draft of a new item after a change: its id follows its name until somebody types another one. */
export function withMadeId(
  draft: ItemDraft,
  part: Partial<ItemDraft>,
  taken: readonly string[],
): Partial<ItemDraft> {
  if (part.name === undefined) return part;
  const isUntouched = draft.id === "" || draft.id === madeId(draft.name, taken);
  return isUntouched ? { ...part, id: part.name.trim() === "" ? "" : madeId(part.name, taken) } : part;
}

/** The id that a new item with this name gets. */
export function madeId(name: string, taken: readonly string[]): string {
  return itemIdOf(name, (id) => taken.includes(id));
}
