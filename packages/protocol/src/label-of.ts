/** The label of a code. A newer server may send others, which have `fallback`. */
export function labelOf<Label>(
  labels: Readonly<Record<string, Label>>,
  code: string,
  fallback: Label,
): Label {
  return (Object.hasOwn(labels, code) ? labels[code] : undefined) ?? fallback;
}
