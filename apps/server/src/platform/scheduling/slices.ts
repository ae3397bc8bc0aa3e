/** Slices a list into lists of `size` elements; the last one may be shorter. */
export function* slices<Element>(
  list: readonly Element[],
  size: number,
): Generator<Element[], undefined> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
