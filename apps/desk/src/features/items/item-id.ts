import type { ItemDraft } from "./item-draft.ts";

/** The most characters that are made from a name: the shop takes 100, and a number may be added. */
const MAX_LENGTH = 80;
/** The id of an item whose name has no letter that an id can have. */
const UNNAMED = "item";

/** Makes an id from a name that no other item has: "Kaffee Größe 2" → `kaffee-grosse-2`. */
export function itemIdOf(name: string, taken: readonly string[]): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const words = plain.match(/[a-z0-9]+/g) ?? [UNNAMED];
  const id = words.join("-").slice(0, MAX_LENGTH).replace(/-$/, "");
  if (!taken.includes(id)) return id;
  let number = 2;
  while (taken.includes(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}

/** The draft of a new item after a change: its id follows its name until somebody types another one. */
export function withMadeId(
  draft: ItemDraft,
  part: Partial<ItemDraft>,
  taken: readonly string[],
): Partial<ItemDraft> {
  if (part.name === undefined) return part;
  const isUntouched = draft.id === "" || draft.id === itemIdOf(draft.name, taken);
  return isUntouched ? { ...part, id: part.name.trim() === "" ? "" : itemIdOf(part.name, taken) } : part;
}
