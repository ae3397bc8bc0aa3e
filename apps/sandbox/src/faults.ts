/** The faults that the sandbox can simulate for its whole API. */
export const outages = ["none", "down", "error", "html", "slow", "busy"] as const;
export type Outage = (typeof outages)[number];

/**
 * The faults that the mailbox can simulate. `slow`: it takes 3 seconds to accept a letter. `later`:
 * it refuses letters for now (451). `refuse`: it refuses them for good (550). `half`: it reads a
 * letter and closes the connection without an answer. `down`: it closes every connection at once.
 */
export const mailFaults = ["none", "slow", "later", "refuse", "half", "down"] as const;
export type MailFault = (typeof mailFaults)[number];

/** Turns simulated faults on. */
export interface FaultSwitch<Fault extends string> {
  current(): Fault | "none";
  /** Starts a fault that ends after so many seconds. */
  set(fault: Fault, seconds: number): void;
}

export function createFaultSwitch<Fault extends string>(now: () => number): FaultSwitch<Fault> {
  let fault: Fault | "none" = "none";
  let until = 0;
  return {
    current: () => (now() < until ? fault : "none"),
    set(next, seconds) {
      fault = next;
      until = now() + seconds * 1000;
    },
  };
}
