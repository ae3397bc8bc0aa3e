/**
 * Pads the keys of an `in (…)` clause to the next power of two by repeating the last key, so that
 * few different statements are prepared. Example: `["a", "b", "c"]` → `["a", "b", "c", "c"]`.
 */
export function padKeys<Key>(keys: readonly Key[]): Key[] {
  const [last] = keys.slice(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array<Key>(length - keys.length).fill(last)];
}
