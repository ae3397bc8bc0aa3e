const full = process.env.FAULTS === "full";

/** How much of a fault test is run: a short form with every change, the long one by `npm run test:faults`. */
export function faultScale(short: number, long: number): number {
  return full ? long : short;
}
