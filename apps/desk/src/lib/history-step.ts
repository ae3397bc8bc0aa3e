/**
 * How many entries of the browser's history lie between two of them: -1 for the one before.
 * `undefined` if it is not known, because an entry was not made by the router, such as that of a
 * link within the page.
 *
 * @param from the state of the entry that was left
 * @param to the state of the entry that was entered
 */
export function historyStep(from: unknown, to: unknown): number | undefined {
  const [before, after] = [indexOf(from), indexOf(to)];
  if (before === undefined || after === undefined || before === after) return undefined;
  return after - before;
}

/** The router counts its entries in their state. */
function indexOf(state: unknown): number | undefined {
  const index: unknown = Reflect.get(Object(state), "idx");
  return typeof index === "number" ? index : undefined;
}
