/** The most orders that are printed at once: each is a request. */
const MAX_PRINTED = 100;

/** The ids of `?ids=a,b`, each once. @param parameter `null` if the address has none */
export function printedIds(parameter: string | null): readonly string[] {
  const ids = (parameter ?? "").split(",").filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MAX_PRINTED);
}
