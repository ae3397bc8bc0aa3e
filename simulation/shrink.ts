/**
 * Shrinks a list while a condition still holds: it removes first halves, then smaller and smaller
 * parts. It tries at most `mostTries` lists.
 */
export async function shrink<T>(
  list: readonly T[],
  stillHolds: (shorter: readonly T[]) => Promise<boolean>,
  mostTries: number,
): Promise<readonly T[]> {
  let kept = list;
  let tries = 0;
  for (
    let length = Math.ceil(list.length / 2);
    length >= 1;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let start = kept.length - length; start > -length && tries < mostTries; start -= length) {
      const without = [...kept.slice(0, Math.max(0, start)), ...kept.slice(start + length)];
      if (without.length === kept.length) continue;
      tries += 1;
      if (await stillHolds(without)) kept = without;
    }
  }
  return kept;
}
