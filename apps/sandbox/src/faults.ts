/** The faults that the sandbox can simulate for its API. */
export const outages = ["none", "down", "error", "html", "slow", "busy"] as const;
export type Outage = (typeof outages)[number];

/**
 * The faults that the mailbox can simulate. `slow`: it takes 3 seconds to accept an email. `later`:
 * it refuses emails temporarily (451). `refuse`: it refuses them permanently (550). `half`: it
 * reads an email and closes the connection without a response. `down`: it closes every connection
 * at once.
 */
export const mailFaults = ["none", "slow", "later", "refuse", "half", "down"] as const;
export type MailFault = (typeof mailFaults)[number];

export interface FaultSwitch<Fault extends string> {
  current(): Fault | "none";
  /** Starts a fault that ends by itself. */
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
