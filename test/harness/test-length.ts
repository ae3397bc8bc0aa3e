/** Whether a long form of the tests runs, such as `npm run test:faults`. */
export const isLong = process.env.TEST_LENGTH === "full";

/** A number that depends on the length of the tests. */
export function testLength(short: number, long: number): number {
  return isLong ? long : short;
}
