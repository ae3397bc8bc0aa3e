import { paths, streamParameters } from "@keepsats/protocol";
import type { App } from "../apps/server/src/app.ts";
import type { Provider, ProviderFault } from "./actors/provider.ts";
import type { State } from "./committed-state.ts";
import type { Faults } from "./faults.ts";

export interface ShopRequest {
  readonly by: "customer" | "staff";
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

/** The path of the order stream with the parameters of a subscription. */
export function streamPathOf({ orderId, loanId, key }: Subscription): string {
  const query = new URLSearchParams({ [streamParameters.orderId]: orderId });
  if (loanId !== undefined) query.set(streamParameters.contractId, loanId);
  if (key !== undefined) query.set(streamParameters.key, key);
  return `${paths.orderStream}?${query}`;
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
  readonly providerFaults: Faults<ProviderFault>;
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
  note(text: string): void;
  /** Reports a broken invariant. */
  fail(invariant: string, detail: string): void;
  after(milliseconds: number, action: () => void): void;
  /** There is no answer if the shop does not run, or is killed before. */
  request(request: ShopRequest, onAnswer: (answer: Answer) => void): void;
  /** Opens the order stream as a browser does; `undefined` if the shop does not run. */
  connect(subscription: Subscription, listener: Listener): Connection | undefined;
}
