import type { Post } from "../apps/server/src/modules/webhooks/post.ts";
import type { CommittedDelivery } from "./committed-state.ts";
import { Faults } from "./faults.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/**
 * `closing` accepts a message and closes the connection before it answers; `silent` accepts it and
 * never answers.
 */
export type ReceiverFault = "slow" | "failing" | "closing" | "silent";

/** The receiver of the shop's webhook, which gets every event. */
export class Receiver {
  /** The ids of the deliveries that have arrived. */
  readonly received = new Set<string>();
  readonly faults: Faults<ReceiverFault>;
  readonly #world: World;
  readonly #random: Random;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
    this.faults = new Faults(() => world.now);
  }

  /** Sends the messages of one process of the shop. It answers nothing once `hasEnded`. */
  post(hasEnded: () => boolean): Post {
    return ({ headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const id = headers["webhook-id"];
        const delivery = this.#world.state.deliveries.find((one) => one.id === id);
        if (delivery?.state !== "waiting") this.#world.fail("sent-after-end", body);
        if (delivery === undefined) return;
        const fault = this.faults.current ?? (this.#random.chance(0.03) ? "closing" : undefined);
        const latency = this.#random.between(5, 300) * (fault === "slow" ? 30 : 1);
        signal.addEventListener("abort", () => reject(new Error("the attempt was broken off")));
        this.#world.after(latency, () => {
          // A message on its way arrives, even if the shop is killed in between.
          if (fault !== "failing") this.#receive(delivery);
          if (hasEnded()) return;
          this.#world.note(`the webhook receives ${delivery.type}: ${fault ?? "fine"}`);
          if (fault === "closing") reject(new Error("the connection was closed"));
          else if (fault !== "silent")
            resolve({ status: fault === "failing" ? 503 : 204, body: "", retryAfter: undefined });
        });
      });
  }

  /** A delivery arrives after all earlier ones of its subject. */
  #receive({ id, position, type, subject }: CommittedDelivery): void {
    this.received.add(id);
    const earlier = this.#world.state.deliveries.find(
      (one) =>
        one.position < position &&
        one.subject === subject &&
        one.state === "waiting" &&
        !this.received.has(one.id),
    );
    if (earlier !== undefined)
      this.#world.fail(
        "delivered-out-of-order",
        `the webhook received ${type} of ${subject} before ${earlier.type}`,
      );
  }
}
