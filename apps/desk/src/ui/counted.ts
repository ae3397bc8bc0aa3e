/**
 * A number with its noun: `counted(2, "order")` → `2 orders`; thousands have a comma. @param many the plural, if it does
 * not end in s
 */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
