/** The short form of an order's id for screens and logs: its first 8 characters. */
export function shortOrderId(id: string): string {
  return id.slice(0, 8);
}
