import { join } from "node:path";
import { openStateReader, type StateReader } from "./committed-state.ts";
import { copyDatabase, type ShopEnvironment, type ShopProcess, startShop } from "./shop.ts";
import { drain, type VirtualClock } from "./virtual-clock.ts";

export interface Environment extends Omit<ShopEnvironment, "file" | "afterQuery"> {
  readonly fetch: typeof globalThis.fetch;
}

interface Options {
  readonly time: VirtualClock;
  readonly folder: string;
  /** Creates the environment of a process, which has no effect once `hasEnded`. */
  readonly environment: (hasEnded: () => boolean) => Environment;
  readonly note: (text: string) => void;
  /** Called after each query of a running process. It may kill the process. */
  readonly onQuery: () => void;
  /** Called when the process was killed or stopped. */
  readonly onEnd: (downtime: number | undefined) => void;
}

/** Thrown at code of a killed process that still queries the database. */
class Killed extends Error {}

/** The limit for a start or a graceful stop, in iterations of the event loop. */
const MAX_ITERATIONS = 100_000;

/** Starts, stops and kills the shop's process. */
export class Machine {
  /** `undefined` while no process runs. */
  shop: ShopProcess | undefined;
  /** `undefined` before the first start. */
  database: StateReader | undefined;
  readonly #options: Options;
  #requested: "start" | "stop" | undefined;
  /** A kill after a number of queries. */
  #kill: { queries: number; readonly downtime: number } | undefined;
  #files = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Starts or stops the shop before the next action. */
  request(state: "start" | "stop"): void {
    this.#requested = state;
  }

  /** `queries`: 0 kills it now. `downtime`: in milliseconds. */
  killAfter(queries: number, downtime: number): void {
    if (this.shop === undefined) return;
    this.#kill = { queries, downtime };
    if (queries === 0) this.#killNow(this.shop);
  }

  /** Starts or stops the shop if requested, and cleans up after a killed process. */
  async update(): Promise<void> {
    await this.#cleanUp();
    const requested = this.#requested;
    this.#requested = undefined;
    switch (requested) {
      case "start":
        return this.#start();
      case "stop":
        return this.#stop();
      case undefined:
    }
  }

  /** Releases all resources, in any state. */
  async end(): Promise<void> {
    const { shop } = this;
    if (shop !== undefined) {
      shop.hasEnded = true;
      this.#onEnd(undefined);
      await shop.release().catch(() => {});
    }
    this.database?.close();
  }

  get #file(): string {
    return join(this.#options.folder, `shop-${this.#files}.db`);
  }

  /** The next process starts with the data that is committed now. */
  #killNow(shop: ShopProcess): void {
    shop.hasEnded = true;
    this.#files += 1;
    copyDatabase(shop.file, this.#file);
  }

  #afterQuery(): void {
    const { shop } = this;
    if (shop === undefined) return;
    if (shop.hasEnded) throw new Killed("killed");
    this.#options.onQuery();
    if (this.#kill === undefined) return;
    this.#kill.queries -= 1;
    if (this.#kill.queries > 0) return;
    this.#killNow(shop);
    throw new Killed("killed");
  }

  async #start(): Promise<void> {
    if (this.shop !== undefined) return;
    let shop: ShopProcess | undefined;
    const { fetch, ...environment } = this.#options.environment(() => shop?.hasEnded === true);
    globalThis.fetch = fetch;
    const file = this.#file;
    const starting = startShop({ ...environment, file, afterQuery: () => this.#afterQuery() });
    await this.#waitFor(starting);
    shop = await starting;
    this.#open(file);
    this.shop = shop;
    this.#options.onQuery();
    this.#options.note("the shop starts");
  }

  #open(file: string): void {
    this.database?.close();
    this.database = openStateReader(file);
  }

  async #stop(): Promise<void> {
    const { shop } = this;
    if (shop === undefined) return;
    this.#options.note("the shop stops");
    await this.#waitFor(shop.close(), shop);
    if (shop.hasEnded) return this.#cleanUp();
    shop.hasEnded = true;
    this.#onEnd(undefined);
  }

  /** Releases a killed process, and opens the database that it left. */
  async #cleanUp(): Promise<void> {
    const { shop } = this;
    if (shop?.hasEnded !== true) return;
    this.#options.note("the shop is killed");
    await drain();
    this.#onEnd(this.#kill?.downtime);
    shop.release().catch(() => {});
    this.#open(this.#file);
    this.#options.onQuery();
  }

  #onEnd(downtime: number | undefined): void {
    this.shop = undefined;
    this.#kill = undefined;
    this.#options.time.restart();
    this.#options.onEnd(downtime);
  }

  /** Waits for a start, which takes no time, or for a stop, during which the process may be killed. */
  async #waitFor(promise: Promise<unknown>, stopping?: ShopProcess): Promise<void> {
    const { time } = this.#options;
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (let iterations = 0; iterations < MAX_ITERATIONS; iterations += 1) {
      await drain();
      if (settled || stopping?.hasEnded === true) return;
      if (!time.fireDue() && stopping !== undefined) time.fireNext(100);
    }
    throw new Error("the shop neither starts nor stops");
  }
}
