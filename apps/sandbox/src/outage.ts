/** How the provider's API can misbehave: all of it, for everybody. */
export const outages = ["none", "down", "error", "html", "slow", "busy"] as const;
export type Outage = (typeof outages)[number];

/** The present state of the API. */
export interface OutageSwitch {
  current(): Outage;
  /** Begins an outage that ends by itself. */
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
