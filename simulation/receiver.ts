import type { Post } from "../apps/server/src/modules/webhooks/post.ts";
import type {
  AttemptResult,
  Channel,
  Delivery,
} from "../apps/server/src/platform/outbox/channel.ts";
import type { ReceiverFault } from "./actors/actions.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** The target of the simulated channel, which receives every event. */
export const MAILBOX = "mailbox";

/** The webhook of the shop, which the server calls over its own channel. */
export const WEBHOOK = {
  id: "system",
  events: ["order.placed", "order.paid", "order.cancelled", "order.refunded"],
} as const;

type Sent = Pick<Delivery, "id" | "target" | "type" | "subject">;
type Fault = "none" | Exclude<ReceiverFault, "slow">;

/** The receivers of the shop's webhooks and emails. */
export class Receiver {
  /** The ids of the deliveries that have arrived. */
  readonly received = new Set<string>();
  readonly #world: World;
  readonly #random: Random;
  #fault: { readonly kind: ReceiverFault; readonly until: number } | undefined;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** @param duration in milliseconds */
  setFault(kind: ReceiverFault | undefined, duration = 0): void {
    this.#fault = kind && { kind, until: this.#world.now + duration };
  }

  /** The outbox channel of one process of the shop. It answers nothing once `hasEnded`. */
  channel(hasEnded: () => boolean): Channel {
    return {
      name: "simulated",
      targetsOf: () => [MAILBOX],
      deliver: (delivery, signal) => this.#answer(delivery, signal, hasEnded),
      // Enough retries for every fault.
      retryDelays: Array.from({ length: 1_000 }, (_, attempt) =>
        Math.min(1_000 * (attempt + 1), 10_000),
      ),
      timeout: 10_000,
      concurrency: { total: 6, perTarget: 3 },
      perSecond: 50,
    };
  }

  /** Sends the messages of one process to {@link WEBHOOK}. It answers nothing once `hasEnded`. */
  post(hasEnded: () => boolean): Post {
    return async ({ headers, body, signal }) => {
      const { deliveries } = this.#world.state;
      const row = deliveries.find(({ id }) => id === headers["webhook-id"]);
      if (row?.state !== "waiting") this.#world.fail("sent-after-end", body);
      if (row === undefined) throw new Error("there is no such delivery");
      const { kind, answer } = await this.#answer(row, signal, hasEnded);
      return { status: kind === "delivered" ? 204 : 503, body: answer, retryAfter: undefined };
    };
  }

  #answer(delivery: Sent, signal: AbortSignal, hasEnded: () => boolean): Promise<AttemptResult> {
    const { latency, fault } = this.#nextFault();
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("the attempt was broken off")));
      this.#world.after(latency, () => {
        // A message on its way arrives, even if the shop is killed in between.
        if (fault !== "failing" && fault !== "refusing") this.#receive(delivery);
        if (hasEnded()) return;
        this.#world.note(`${delivery.target} receives ${delivery.type}: ${fault}`);
        switch (fault) {
          case "none":
            return resolve({ kind: "delivered", answer: "taken" });
          case "failing":
            return resolve({ kind: "retry", answer: "not now" });
          case "refusing":
            return resolve({ kind: "failed", answer: "never" });
          case "closing":
            return reject(new Error("the connection was closed"));
          case "silent":
        }
      });
    });
  }

  /** A delivery contains only committed data, and arrives after all earlier ones of its subject. */
  #receive({ id, target, type, subject }: Sent): void {
    this.received.add(id);
    const { deliveries } = this.#world.state;
    const row = deliveries.find((one) => one.id === id);
    if (row === undefined)
      return this.#world.fail(
        "delivered-before-commit",
        `${target} received ${type} of ${subject}`,
      );
    const earlier = deliveries.find(
      (one) =>
        one.position < row.position &&
        one.target === target &&
        one.subject === subject &&
        one.state === "waiting" &&
        !this.received.has(one.id),
    );
    if (earlier !== undefined)
      this.#world.fail(
        "delivered-out-of-order",
        `${target} received ${type} of ${subject} before ${earlier.type}`,
      );
  }

  #nextFault(): { readonly latency: number; readonly fault: Fault } {
    const isActive = this.#fault !== undefined && this.#fault.until > this.#world.now;
    const kind = isActive ? this.#fault?.kind : undefined;
    const latency = this.#random.between(5, 300);
    switch (kind) {
      case undefined:
        return { latency, fault: this.#random.chance(0.03) ? "closing" : "none" };
      case "slow":
        return { latency: latency * 30, fault: "none" };
      case "failing":
      case "closing":
      case "silent":
        return { latency, fault: kind };
      case "refusing":
        return { latency, fault: this.#random.chance(0.5) ? "refusing" : "none" };
    }
  }
}
