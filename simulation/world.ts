import type { App } from "../apps/server/src/app.ts";
import type { Trouble } from "./actors/actions.ts";
import type { Provider } from "./actors/provider.ts";
import type { State } from "./committed-state.ts";

export interface ShopRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: object;
}

export type Answer = Pick<
  Awaited<ReturnType<App["http"]["inject"]>>,
  "statusCode" | "body" | "json"
>;

/** The order that a page is subscribed to, and what it shows for it. */
export interface Subscription {
  readonly orderId: string;
  readonly loanId: string | undefined;
  readonly key: string | undefined;
}

/** What receives an order stream. */
export interface Listener {
  readonly onMessage: (text: string) => void;
  readonly onClose: () => void;
}

export interface Connection {
  close(): void;
}

/** A broken invariant. */
export interface Failure {
  /** Such as `paid-without-proof`. */
  readonly invariant: string;
  readonly detail: string;
}

/**
 * A shop, and what actors and invariants know of its surroundings. `SimulatedWorld` has a server in
 * simulated time; `test/money-model/` has server processes.
 */
export interface World {
  readonly provider: Provider;
  /** The data that is committed now; of server processes, at the last answer or later. */
  readonly state: State;
  /** Whether the invariants see the data after each single commit. */
  readonly seesEachCommit: boolean;
  /** The pieces of each counted item before the first order. */
  readonly initialStock: number;
  /** The ids of the deliveries that have arrived at their receivers. */
  readonly received: ReadonlySet<string>;
  /** In epoch milliseconds. */
  readonly now: number;
  /** Lets the environment do this to the shop, if it can. */
  cause(trouble: Trouble): void;
  note(text: string): void;
  /** Reports a broken invariant. */
  fail(invariant: string, detail: string): void;
  after(milliseconds: number, action: () => void): void;
  /** Sends a request of a customer. There is no answer if the shop does not run, or is killed before. */
  request(request: ShopRequest, onAnswer: (answer: Answer) => void): void;
  /** The same for staff. */
  requestAsStaff(request: ShopRequest, onAnswer: (answer: Answer) => void): void;
  /** Opens the order stream as a browser does; `undefined` if the shop does not run. */
  connect(subscription: Subscription, listener: Listener): Connection | undefined;
}
