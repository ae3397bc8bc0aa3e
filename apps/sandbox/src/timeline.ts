/** What a person may have go wrong with one loan. */
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

/** The states that a contract goes through, one step after another. */
export function timelineOf(dial: Dial): readonly string[] {
  return timelines[dial] ?? happy;
}

/**
 * How a contract stands: it is a function of its age alone, so that nothing has to run for it to move on.
 *
 * @param age since it was made, in milliseconds
 * @param step how long each state lasts, in milliseconds
 */
export function stateAt(dial: Dial, age: number, step: number): { status: string; since: number } {
  const states = timelineOf(dial);
  const index = Math.min(states.length - 1, Math.max(0, Math.floor(age / step)));
  return { status: states[index] ?? "Requested", since: index * step };
}

/** Whether a text is one of the dials. */
export function isDial(text: unknown): text is Dial {
  return dials.some((dial) => dial === text);
}
