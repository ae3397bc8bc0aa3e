/**
 * The ids after one of them was moved.
 *
 * @param to the place that it has afterwards, from 0; places outside of the list are its ends
 */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((one) => one !== id);
  if (others.length === ids.length) return [...ids];
  const place = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Sorts things by ids; things whose id is not among them stay at the end, in their order. */
export function inOrder<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  ids: readonly string[],
): Thing[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return things.toSorted((one, other) => placeOf(one.id) - placeOf(other.id));

  function placeOf(id: string): number {
    return places.get(id) ?? ids.length;
  }
}

/** Where a key moves a thing from a place; `undefined` for other keys. */
export function placeAfterKey(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case "ArrowUp":
      return place - 1;
    case "ArrowDown":
      return place + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
