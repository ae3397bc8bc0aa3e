import type { OrderStatus } from "@keepsats/domain";
import type { CommittedOrder } from "./committed.ts";
import { type Following, follow, type PageSocket } from "./follower.ts";
import type { World } from "./world.ts";

const RECONNECT = 5_000;

/** A page that follows an order until the shopper closes it. */
export class Page {
  readonly following: Following;
  readonly name: string;
  /** The last order that it received over the current connection. */
  shown: { readonly status: OrderStatus; readonly attemptOver: boolean } | undefined;
  readonly #world: World;
  #socket: PageSocket | undefined;
  /**
   * The number of the last event of the order that the page has seen. It must never be sent an
   * earlier state.
   */
  #event = 0;
  #left = false;
  readonly #isOwner: boolean;

  /** @param isOwner whether it has the order's key */
  constructor(world: World, name: string, following: Following, isOwner: boolean) {
    this.#isOwner = isOwner;
    this.#world = world;
    this.name = name;
    this.following = following;
    world.pages.add(this);
    this.#connect();
  }

  /** The shopper closes the page. */
  leave(): void {
    this.#left = true;
    this.shown = undefined;
    this.#world.pages.delete(this);
    this.#socket?.leave();
  }

  /** The connection was lost without a close frame. */
  lose(): void {
    if (this.#socket !== undefined) this.#closed(this.#socket);
  }

  #connect(): void {
    if (this.#left) return;
    const { shop } = this.#world;
    if (shop === undefined) return this.#world.after(RECONNECT, () => this.#connect());
    this.shown = undefined;
    const socket: PageSocket = follow(shop.app.http, this.following, {
      onMessage: (text) => {
        if (!shop.dead && !this.#left && this.#socket === socket) this.#hear(text);
      },
      onClose: () => this.#closed(socket),
    });
    this.#socket = socket;
  }

  #closed(socket: PageSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.shown = undefined;
    this.#world.after(RECONNECT, () => this.#connect());
  }

  #hear(text: string): void {
    const message = JSON.parse(text);
    if (message.type === "error")
      return this.#world.note(`${this.name} is shown ${message.data.kind}`);
    if (message.type !== "order") return;
    const { status, payment_attempt_over: attemptOver, withheld } = message.data;
    this.#world.note(
      `${this.name} is shown ${status}${withheld === true ? ", people withheld" : ""}`,
    );
    this.shown = { status, attemptOver };
    const order = this.#world.state.orders.get(this.following.orderId);
    this.#check(order, status);
    if (withheld !== true && !this.#maySeePeople())
      this.#world.fail(
        "people-shown",
        `${this.name} was shown who has placed order ${this.following.orderId}`,
      );
  }

  /** Customer data may be sent only with the order's key or to a loan that has paid the order. */
  #maySeePeople(): boolean {
    const { orderId, loanId } = this.following;
    const loan = this.#world.state.loans.get(loanId ?? "");
    return this.#isOwner || (loan?.orderId === orderId && loan.state === "paid-out");
  }

  /** A page may be sent only committed states, and never an older one than before. */
  #check(order: CommittedOrder | undefined, status: OrderStatus): void {
    const event =
      order?.events.findIndex(({ to }, place) => place >= this.#event && to === status) ?? -1;
    if (event < 0) {
      const events = order?.events.map(({ to }) => to).join(", ");
      this.#world.fail(
        "shown-what-is-not",
        `${this.name} was shown ${status} after event ${this.#event} of: ${events}`,
      );
    } else this.#event = event;
  }
}
