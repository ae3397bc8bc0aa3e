/** The failures that can be simulated for one loan. */
export const failures = [
  "none",
  "reject",
  "expire",
  "error",
  "wrong-amount",
  "wrong-order",
  "slow",
  "api-down",
] as const;
export type Failure = (typeof failures)[number];

const paidOut = [
  "Requested",
  "Approved",
  "CollateralSeen",
  "CollateralConfirmed",
  "PrincipalGiven",
];
const timelines: Partial<Record<Failure, readonly string[]>> = {
  reject: ["Requested", "Rejected"],
  expire: ["Requested", "Approved", "ApprovalExpired"],
};

/** The statuses of a contract, in order. */
export function timelineOf(failure: Failure): readonly string[] {
  return timelines[failure] ?? paidOut;
}

/**
 * Computes the status of a contract from its age, so that no timer has to advance it. The last
 * status never ends.
 *
 * @param age the time since the contract was created, in milliseconds
 * @param step the duration of each status, in milliseconds
 * @returns the status, and the age in milliseconds at which it began
 */
export function statusAt(
  failure: Failure,
  age: number,
  step: number,
): { status: string; since: number } {
  const statuses = timelineOf(failure);
  const index = Math.min(statuses.length - 1, Math.max(0, Math.floor(age / step)));
  return { status: statuses[index] ?? "Requested", since: index * step };
}
