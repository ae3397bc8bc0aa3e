import type { Mood } from "./plan.ts";

/** The delay and the fault of an answer, by the provider's mood. */
export interface Manner {
  readonly latency: number;
  readonly fault:
    | "none"
    | "refused"
    | "status-500"
    | "status-429"
    | "html"
    | "cut-short"
    | "odd-entries"
    | "never-ends";
}

/** @param draw a random whole number below 1,000 */
export function mannerOf(mood: Mood | undefined, draw: number): Manner {
  const latency = 10 + (draw % 200);
  switch (mood) {
    case undefined:
      return { latency, fault: "none" };
    case "down":
      return { latency, fault: "refused" };
    case "error":
      return { latency, fault: "status-500" };
    case "busy":
      return { latency, fault: "status-429" };
    case "garbled":
      return { latency, fault: draw % 2 === 0 ? "html" : "cut-short" };
    case "odd":
      return { latency, fault: "odd-entries" };
    case "slow":
      return { latency: draw * 8, fault: "none" };
    case "stuck":
      return { latency, fault: "never-ends" };
  }
}
