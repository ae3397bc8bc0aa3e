/** The faults that the sandbox can simulate for its whole API. */
export const outages = ["none", "down", "error", "html", "slow", "busy"] as const;
export type Outage = (typeof outages)[number];

/** Turns simulated faults on. */
export interface OutageSwitch {
  current(): Outage;
  /** Starts a fault that ends after so many seconds. */
  set(outage: Outage, seconds: number): void;
}

export function createOutageSwitch(now: () => number): OutageSwitch {
  let outage: Outage = "none";
  let until = 0;
  return {
    current: () => (now() < until ? outage : "none"),
    set(next, seconds) {
      outage = next;
      until = now() + seconds * 1000;
    },
  };
}
