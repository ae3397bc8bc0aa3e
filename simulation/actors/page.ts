import type { Connection, Subscription, World } from "../world.ts";

/** In milliseconds. */
const RECONNECT_DELAY = 5_000;

/** An order page, which is subscribed to its order until the customer closes it. */
export class Page {
  readonly subscription: Subscription;
  readonly name: string;
  /** The last state that it received over the current connection. */
  shown: { readonly status: string; readonly attemptFailed: boolean } | undefined;
  readonly #world: World;
  #connection: Connection | undefined;
  /** The index of the last event that was shown. No earlier state may follow. */
  #event = 0;
  #isClosed = false;
  readonly #hasKey: boolean;

  constructor(world: World, name: string, subscription: Subscription, hasKey: boolean) {
    this.#hasKey = hasKey;
    this.#world = world;
    this.name = name;
    this.subscription = subscription;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.shown = undefined;
    this.#connection?.close();
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.#connection = this.#world.connect(this.subscription, {
      onMessage: (text) => {
        if (!this.#isClosed) this.#onMessage(text);
      },
      onClose: () => this.#reconnect(),
    });
    if (this.#connection === undefined) this.#reconnect();
  }

  #reconnect(): void {
    this.shown = undefined;
    this.#world.after(RECONNECT_DELAY, () => this.#connect());
  }

  #onMessage(text: string): void {
    const message = JSON.parse(text);
    if (message.type === "error")
      return this.#world.note(`${this.name} shows ${message.data.kind}`);
    if (message.type !== "order") return;
    const { status, payment_attempt_failed: attemptFailed, withheld } = message.data;
    this.#world.note(
      `${this.name} shows ${status}${withheld === true ? ", personal data withheld" : ""}`,
    );
    this.shown = { status, attemptFailed };
    this.#checkEvent(status);
    if (withheld !== true && !this.#maySeePersonalData())
      this.#world.fail(
        "personal-data-shown",
        `${this.name} was sent the customer of order ${this.subscription.orderId}`,
      );
  }

  /** Personal data requires the order's key, or a loan that has paid the order. */
  #maySeePersonalData(): boolean {
    const { orderId, loanId } = this.subscription;
    const loan = this.#world.state.loans.get(loanId ?? "");
    return this.#hasKey || (loan?.order_id === orderId && loan.state === "paid-out");
  }

  /** Only committed states are sent, and never an older one than before. */
  #checkEvent(status: string): void {
    const events = this.#world.state.orders.get(this.subscription.orderId)?.events ?? [];
    const event = events.findIndex(
      ({ to_status }, place) => place >= this.#event && to_status === status,
    );
    if (event < 0) {
      const all = events.map(({ to_status }) => to_status).join(", ");
      const detail = `${this.name} was sent ${status} after event ${this.#event} of: ${all}`;
      this.#world.fail("state-out-of-order", detail);
    } else this.#event = event;
  }
}
