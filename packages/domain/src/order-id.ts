/** An order's id as people read it: its first 8 characters. */
export function shortOrderId(id: string): string {
  return id.slice(0, 8);
}
