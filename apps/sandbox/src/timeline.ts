/** The failures that can be selected in the pop-up for one loan. */
export const dials = [
  "none",
  "reject",
  "expire",
  "error",
  "wrong-amount",
  "wrong-order",
  "slow",
  "api-down",
] as const;
export type Dial = (typeof dials)[number];

const happy = ["Requested", "Approved", "CollateralSeen", "CollateralConfirmed", "PrincipalGiven"];
const timelines: Partial<Record<Dial, readonly string[]>> = {
  reject: ["Requested", "Rejected"],
  expire: ["Requested", "Approved", "ApprovalExpired"],
};

/** The statuses of a contract, in order. */
export function timelineOf(dial: Dial): readonly string[] {
  return timelines[dial] ?? happy;
}

/**
 * Computes the status of a contract from its age, so that no timer has to advance it. The last
 * status never ends.
 *
 * @param age the time since the contract was created, in milliseconds
 * @param step the duration of each status, in milliseconds
 * @returns the status, and the age in milliseconds at which it began
 */
export function stateAt(dial: Dial, age: number, step: number): { status: string; since: number } {
  const states = timelineOf(dial);
  const index = Math.min(states.length - 1, Math.max(0, Math.floor(age / step)));
  return { status: states[index] ?? "Requested", since: index * step };
}
