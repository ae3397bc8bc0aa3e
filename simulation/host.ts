import { join } from "node:path";
import { type Committed, nothing, openCommitted } from "./committed.ts";
import { copyDatabase, type Machine, type ShopProcess, startShop } from "./shop.ts";
import { drain, type VirtualTime } from "./virtual-time.ts";

/** The environment of the shop's process, and its callbacks. */
interface Options extends Pick<Machine, "newId"> {
  readonly time: VirtualTime;
  readonly folder: string;
  /** Creates the replacement of `fetch` for a process. It delivers nothing once `isDead`. */
  readonly transport: (isDead: () => boolean) => typeof globalThis.fetch;
  /** Creates the channel of a process to others. It answers nothing once `isDead`. */
  readonly channel: (isDead: () => boolean) => Machine["channel"];
  /** Creates what sends the messages of a process to webhooks. It answers nothing once `isDead`. */
  readonly post: (isDead: () => boolean) => Machine["post"];
  readonly note: (text: string) => void;
  readonly onChange: Machine["onChange"];
  readonly onLog: Machine["onLog"];
  /**
   * Called after each query while the process lives. If the process is killed here, the data
   * committed so far remains.
   */
  readonly onQuery: () => void;
  /** Called with an unhandled error of the shop. */
  readonly onFault: (error: unknown) => void;
  /** Called when the process has ended, killed or stopped. */
  readonly onGone: (down: number | undefined) => void;
}

/** Thrown at code of a killed process that still queries the database. */
class Killed extends Error {}

/** How long a start or a graceful stop may take, in turns of the event loop. */
const MOST_TURNS = 100_000;

/** The machine that the shop runs on: it starts, stops and kills the shop's process. */
export class Host {
  /** The shop's process, while there is one. */
  shop: ShopProcess | undefined;
  /** The database as another process sees it. */
  committed: Committed;
  readonly #options: Options;
  #wanted: "open" | "closed" | undefined;
  /** After how many more queries the shop is killed, and how long it stays down. */
  #kill: { queries: number; readonly down: number } | undefined;
  #files = 0;

  constructor(options: Options) {
    this.#options = options;
    this.committed = noDatabase;
  }

  /** Starts or stops the shop before the next action. */
  want(state: "open" | "closed"): void {
    this.#wanted = state;
  }

  /**
   * Kills the shop after this many queries; 0 kills it now. @param down how long it stays down, in
   * milliseconds
   */
  killAfter(queries: number, down: number): void {
    if (this.shop === undefined) return;
    this.#kill = { queries, down };
    if (queries === 0) this.#killNow(this.shop);
  }

  /** Starts or stops the shop if requested, and cleans up after a killed process. */
  async attend(): Promise<void> {
    await this.#clearAway();
    const wanted = this.#wanted;
    this.#wanted = undefined;
    switch (wanted) {
      case "open":
        return this.#start();
      case "closed":
        return this.#stop();
      case undefined:
    }
  }

  /** Releases all resources, in any state. */
  async end(): Promise<void> {
    const { shop } = this;
    if (shop !== undefined) {
      shop.dead = true;
      this.#gone(undefined);
      await shop.bury().catch(() => {});
    }
    this.committed.close();
  }

  get #file(): string {
    return join(this.#options.folder, `shop-${this.#files}.db`);
  }

  /** Kills the process. The next one starts with the data that is committed at this moment. */
  #killNow(shop: ShopProcess): void {
    shop.dead = true;
    this.#files += 1;
    copyDatabase(shop.file, this.#file);
  }

  #afterQuery(): void {
    const { shop } = this;
    if (shop === undefined) return;
    if (shop.dead) throw new Killed("killed");
    this.#options.onQuery();
    if (this.#kill === undefined) return;
    this.#kill.queries -= 1;
    if (this.#kill.queries > 0) return;
    this.#killNow(shop);
    throw new Killed("killed");
  }

  async #start(): Promise<void> {
    if (this.shop !== undefined) return;
    const { folder, newId, transport, channel, post, onChange, onLog, onFault, note } =
      this.#options;
    let shop: ShopProcess | undefined;
    const whileAlive =
      <Told>(listen: (told: Told) => void) =>
      (told: Told) => {
        if (shop?.dead !== true) listen(told);
      };
    const isDead = () => shop?.dead === true;
    globalThis.fetch = transport(isDead);
    const file = this.#file;
    const starting = startShop({
      file,
      webRoot: join(folder, "web"),
      newId,
      channel: channel(isDead),
      post: post(isDead),
      onChange: whileAlive(onChange),
      onLog: whileAlive(onLog),
      afterQuery: () => this.#afterQuery(),
      afterCommitFailed: whileAlive(onFault),
    });
    await this.#pump(starting);
    shop = await starting;
    this.#open(file);
    this.shop = shop;
    this.#options.onQuery();
    note("the shop is open");
  }

  #open(file: string): void {
    this.committed.close();
    this.committed = openCommitted(file);
  }

  async #stop(): Promise<void> {
    const { shop } = this;
    if (shop === undefined) return;
    this.#options.note("the shop is stopped");
    await this.#pump(shop.close(), shop);
    if (shop.dead) return this.#clearAway();
    shop.dead = true;
    this.#gone(undefined);
  }

  async #clearAway(): Promise<void> {
    const { shop } = this;
    if (shop?.dead !== true) return;
    this.#options.note("the shop is killed");
    await drain();
    this.#gone(this.#kill?.down);
    shop.bury().catch(() => {});
    this.#open(this.#file);
    this.#options.onQuery();
  }

  /** Whether there is no process of the shop. */
  #gone(down: number | undefined): void {
    this.shop = undefined;
    this.#kill = undefined;
    this.#options.time.restart();
    this.#options.onGone(down);
  }

  /**
   * Waits for a start, which takes no simulated time, or for a graceful stop, during which the
   * process may be killed.
   */
  async #pump(promise: Promise<unknown>, stopping?: ShopProcess): Promise<void> {
    const { time } = this.#options;
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      await drain();
      if (settled || stopping?.dead === true) return;
      if (!time.fireDue() && stopping !== undefined) time.fireNext(100);
    }
    throw new Error("the shop neither starts nor stops");
  }
}

const noDatabase: Committed = {
  state: () => nothing,
  items: () => [],
  sweptAt: () => 0,
  close() {},
};
