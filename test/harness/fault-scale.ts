const full = process.env.FAULTS === "full";

/** The length of the fault tests: short in `npm test`, long in `npm run test:faults`. */
export function faultScale(short: number, long: number): number {
  return full ? long : short;
}
