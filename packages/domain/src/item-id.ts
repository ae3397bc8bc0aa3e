/**
 * The maximum length of an id made from a name. The limit of the API is 100, and a number may be
 * appended.
 */
const MAX_LENGTH = 80;
/** The id for a name without any usable character. */
const UNNAMED = "item";

/** Makes a unique id from a name: "Kaffee Größe 2" → `kaffee-grosse-2`. */
export function itemIdOf(name: string, isTaken: (id: string) => boolean): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const words = plain.match(/[a-z0-9]+/g) ?? [UNNAMED];
  const id = words.join("-").slice(0, MAX_LENGTH).replace(/-$/, "");
  if (!isTaken(id)) return id;
  let number = 2;
  while (isTaken(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
