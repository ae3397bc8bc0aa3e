import * as z from "zod/mini";

/**
 * Refuses elements of a list whose field has the value of an earlier one.
 *
 * @param keyOf returns the same text for values that count as the same
 */
export function unique<Element extends object>(
  field: keyof Element & string,
  message: string,
  keyOf: (value: string) => string = (value) => value,
) {
  return z.check<readonly Element[]>(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, element] of value.entries()) {
      const text = element[field];
      if (typeof text !== "string") continue;
      if (seen.has(keyOf(text)))
        issues.push({ code: "custom", message, path: [index, field], input: text });
      seen.add(keyOf(text));
    }
  });
}
