/** The most characters that are made from a name: the shop takes 100, and a number may be added. */
const MAX_LENGTH = 80;
/** The id of an item whose name has no letter that an id can have. */
const UNNAMED = "item";

/** Makes an id from a name that no other item has: "Kaffee Größe 2" → `kaffee-grosse-2`. */
export function itemIdOf(name: string, isTaken: (id: string) => boolean): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const words = plain.match(/[a-z0-9]+/g) ?? [UNNAMED];
  const id = words.join("-").slice(0, MAX_LENGTH).replace(/-$/, "");
  if (!isTaken(id)) return id;
  let number = 2;
  while (isTaken(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
