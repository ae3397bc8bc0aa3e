/** The beginning of a loan's id, by which people tell loans apart. */
export function shortLoanId(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id;
}
