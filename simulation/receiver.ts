import type { Attempt, Channel, Delivery } from "../apps/server/src/outbox/channel.ts";
import type { Post } from "../apps/server/src/webhooks/post.ts";
import type { State } from "./committed.ts";
import type { ReceiverMood } from "./plan.ts";
import type { Random } from "./random.ts";

/** The target of the simulated channel, which receives every event. */
export const MAILBOX = "mailbox";

/** The webhook of the shop: the server sends its messages with its own channel. */
export const WEBHOOK = {
  id: "system",
  url: "https://system.example/events",
  events: ["order.placed", "order.paid", "order.cancelled", "order.refunded"],
} as const;

type Sent = Pick<Delivery, "id" | "target" | "type" | "subject">;
type Fault = "none" | Exclude<ReceiverMood, "slow">;

/** What a receiver needs of the world around it. */
interface Surroundings {
  readonly random: Random;
  readonly now: () => number;
  /** Calls back after a number of milliseconds, even if the shop has crashed meanwhile. */
  readonly after: (milliseconds: number, act: () => void) => void;
  readonly note: (text: string) => void;
  readonly fail: (rule: string, detail: string) => void;
  /** The data committed at this moment. */
  readonly state: () => State;
}

/** The receivers of the shop's deliveries: what they have received, and how they answer. */
export class Receiver {
  /** The ids of the deliveries that have arrived. */
  readonly received = new Set<string>();
  readonly #around: Surroundings;
  #mood: { readonly kind: ReceiverMood; readonly until: number } | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** @param lasts in milliseconds */
  setMood(mood: ReceiverMood | undefined, lasts = 0): void {
    this.#mood = mood && { kind: mood, until: this.#around.now() + lasts };
  }

  /** The channel of one process of the shop. It answers nothing once the process is dead. */
  channel(isDead: () => boolean): Channel {
    return {
      name: "simulated",
      targetsOf: () => [MAILBOX],
      deliver: (delivery, signal) => this.#serve(delivery, signal, isDead),
      // It never gives up by itself.
      pauses: Array.from({ length: 1_000 }, (_, attempt) =>
        Math.min(1_000 * (attempt + 1), 10_000),
      ),
      timeLimit: 10_000,
      atOnce: { all: 6, target: 3 },
      perSecond: 50,
    };
  }

  /**
   * Sends the messages of one process of the shop to {@link WEBHOOK}. It answers nothing once the
   * process is dead.
   */
  post(isDead: () => boolean): Post {
    return async ({ headers, body, signal }) => {
      const { deliveries } = this.#around.state();
      const row = deliveries.find(({ id }) => id === headers["webhook-id"]);
      if (row?.state !== "waiting") this.#around.fail("sent-after-end", body);
      if (row === undefined) throw new Error("there is no such delivery");
      const { kind, answer } = await this.#serve(row, signal, isDead);
      return { status: kind === "delivered" ? 204 : 503, body: answer, retryAfter: undefined };
    };
  }

  #serve(delivery: Sent, signal: AbortSignal, isDead: () => boolean): Promise<Attempt> {
    const { latency, fault } = this.#manner();
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("the attempt was broken off")));
      this.#around.after(latency, () => {
        // What is on its way arrives, even if the shop is killed meanwhile.
        if (fault !== "failing" && fault !== "refusing") this.#receive(delivery);
        if (isDead()) return;
        this.#around.note(`${delivery.target} is told ${delivery.type}: ${fault}`);
        switch (fault) {
          case "none":
            return resolve({ kind: "delivered", answer: "taken" });
          case "failing":
            return resolve({ kind: "retry", answer: "not now" });
          case "refusing":
            return resolve({ kind: "gave-up", answer: "never" });
          case "closing":
            return reject(new Error("the connection was closed"));
          case "silent":
        }
      });
    });
  }

  /**
   * Whoever is told of something is told only what is committed, and after everything that came
   * before it.
   */
  #receive({ id, target, type, subject }: Sent): void {
    this.received.add(id);
    const { deliveries } = this.#around.state();
    const row = deliveries.find((one) => one.id === id);
    if (row === undefined)
      return this.#around.fail("told-what-is-not", `${target} was told ${type} of ${subject}`);
    const earlier = deliveries.find(
      (one) =>
        one.position < row.position &&
        one.target === target &&
        one.subject === subject &&
        one.state === "waiting" &&
        !this.received.has(one.id),
    );
    if (earlier !== undefined)
      this.#around.fail(
        "told-out-of-order",
        `${target} was told ${type} of ${subject} before ${earlier.type}`,
      );
  }

  #manner(): { readonly latency: number; readonly fault: Fault } {
    const isMoody = this.#mood !== undefined && this.#mood.until > this.#around.now();
    const mood = isMoody ? this.#mood?.kind : undefined;
    const latency = this.#around.random.between(5, 300);
    switch (mood) {
      case undefined:
        return { latency, fault: this.#around.random.chance(0.03) ? "closing" : "none" };
      case "slow":
        return { latency: latency * 30, fault: "none" };
      case "failing":
      case "closing":
      case "silent":
        return { latency, fault: mood };
      case "refusing":
        return { latency, fault: this.#around.random.chance(0.5) ? "refusing" : "none" };
    }
  }
}
