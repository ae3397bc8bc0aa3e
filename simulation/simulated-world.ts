import { createHash } from "node:crypto";
import { copyFileSync, existsSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { WebSocket } from "ws";
import { createProvider, createTransport, type ProviderFault } from "./actors/provider.ts";
import { emptyState, openStateReader, type State, type StateReader } from "./committed-state.ts";
import { Faults } from "./faults.ts";
import { createRandom, type Random } from "./random.ts";
import { Receiver } from "./receiver.ts";
import { ADMIN_TOKEN, INITIAL_STOCK, PUBLIC_URL, startShop } from "./shop.ts";
import { drain, installVirtualClock, type VirtualClock } from "./virtual-clock.ts";
import {
  type Answer,
  type Connection,
  type Failure,
  type Listener,
  type ShopRequest,
  type Subscription,
  streamPathOf,
  type World,
} from "./world.ts";

const START = Date.UTC(2030, 0, 1, 9);
/** The limit of event loop iterations between two actions in the same millisecond, exclusive. */
const MAX_ITERATIONS = 12;
/** Pino's level for errors. */
const ERROR = 50;

/** One process of the shop. */
interface ShopProcess extends Awaited<ReturnType<typeof startShop>> {
  readonly file: string;
  /** Whether it was killed. Its output is ignored then. */
  readonly hasEnded: () => boolean;
}

/** Thrown at code of a killed process that still queries the database. */
class Killed extends Error {}

/** A simulated shop, whose process is killed and started, with its clock, provider and webhook. */
export class SimulatedWorld implements World {
  readonly time: VirtualClock;
  readonly provider = createProvider(() => this.now);
  readonly providerFaults = new Faults<ProviderFault>(() => this.now);
  readonly receiver: Receiver;
  readonly seesEachCommit = true;
  readonly initialStock = INITIAL_STOCK;
  /** The log of the simulation. */
  readonly history: string[] = [];
  /** Called after each commit. */
  onCommit: (state: State) => void = () => {};
  /** Called when no more work is due at the current time. */
  onIdle: () => void = () => {};
  failure: Failure | undefined;
  steps = 0;
  /** The data that is committed now. */
  state: State = emptyState;
  readonly #folder: string;
  /** What happens next, by time. */
  readonly #actions: { readonly at: number; readonly action: () => void }[] = [];
  /** What to call when the connection of a page is lost. */
  readonly #connections = new Set<() => void>();
  readonly #iterations: Random;
  readonly #transport: Random;
  #ids = 0;
  #shop: ShopProcess | undefined;
  #reader: StateReader | undefined;
  #isStartDue = false;
  /** A kill after a number of queries. */
  #kill: { queries: number; readonly downtime: number } | undefined;
  #kills = 0;

  /** @param folder an empty folder, except for `web` with the built storefront */
  constructor(seed: number, folder: string) {
    const random = createRandom(`${seed}/math`);
    this.#iterations = createRandom(`${seed}/iterations`);
    this.#transport = createRandom(`${seed}/faults`);
    this.time = installVirtualClock(START, () => random.below(2 ** 30) / 2 ** 30);
    this.receiver = new Receiver(this, createRandom(`${seed}/receiver`));
    this.#folder = folder;
  }

  get now(): number {
    return this.time.now;
  }

  get received(): ReadonlySet<string> {
    return this.receiver.received;
  }

  /** Whether a process runs. */
  get isRunning(): boolean {
    return this.#shop?.hasEnded() === false;
  }

  request({ by, method, url, headers, payload }: ShopRequest, onAnswer: (answer: Answer) => void) {
    const shop = this.#shop;
    if (shop === undefined || shop.hasEnded()) return;
    const sender =
      by === "staff" ? { authorization: `Bearer ${ADMIN_TOKEN}` } : { origin: PUBLIC_URL };
    shop.app.http
      .inject({
        method,
        url,
        remoteAddress: "192.0.2.1",
        headers: { ...headers, ...sender },
        ...(payload && { payload }),
      })
      .then((answer) => {
        if (!shop.hasEnded()) onAnswer(answer);
      });
  }

  connect(subscription: Subscription, { onMessage, onClose }: Listener): Connection | undefined {
    const shop = this.#shop;
    if (shop === undefined || shop.hasEnded()) return undefined;
    const onLost = () => {
      if (this.#connections.delete(onLost)) onClose();
    };
    this.#connections.add(onLost);
    const [client, accepted] = duplexPair();
    Object.defineProperty(accepted, "remoteAddress", { value: "192.0.2.1" });
    shop.app.http.server.emit("connection", accepted);
    const agent = new Agent();
    agent.createConnection = () => client;
    const url = `ws://shop.example${streamPathOf(subscription)}`;
    const socket = new WebSocket(url, { agent, origin: PUBLIC_URL });
    socket.on("message", (data) => {
      if (!shop.hasEnded()) onMessage(String(data));
    });
    socket.on("error", () => {});
    socket.on("close", onLost);
    return socket;
  }

  note(text: string): void {
    this.history.push(`${new Date(this.now).toISOString().slice(11, 23)} ${text}`);
  }

  /** A hash for comparing histories byte by byte. */
  historyHash(): string {
    return createHash("sha256").update(this.history.join("\n")).digest("hex").slice(0, 16);
  }

  /** Reports a broken invariant. The first one ends the simulation. */
  fail(invariant: string, detail: string): void {
    if (this.failure !== undefined) return;
    this.failure = { invariant, detail };
    this.note(`BROKEN ${invariant}: ${detail}`);
  }

  after(milliseconds: number, action: () => void): void {
    const at = this.now + milliseconds;
    const place = this.#actions.findIndex((entry) => entry.at > at);
    this.#actions.splice(place < 0 ? this.#actions.length : place, 0, { at, action });
  }

  /** Runs the next action or timer. `until`: the latest time to advance to, in epoch milliseconds. */
  async step(until: number): Promise<void> {
    this.steps += 1;
    await this.#runUntilIdle();
    if (this.failure !== undefined) return;
    const next = this.#actions[0]?.at ?? Number.POSITIVE_INFINITY;
    const isTimer = this.time.fireNext(Math.max(0, Math.min(next, until) - this.now));
    if (!isTimer) await this.#runDueActions();
    await this.#runUntilIdle();
  }

  /** Starts a process of the shop, which takes no time. */
  async start(): Promise<void> {
    let hasStarted = false;
    const file = this.#file;
    const kills = this.#kills;
    const hasEnded = () => this.#kills > kills;
    globalThis.fetch = this.#fetch(hasEnded);
    const starting = startShop({
      file,
      webRoot: join(this.#folder, "web"),
      newId: () => this.#newId(),
      post: this.receiver.post(hasEnded),
      onChange: (change) => {
        if (!hasEnded() && change.topic === "order") this.#checkEmitted(change.id, change.version);
      },
      onLog: (line) => {
        if (!hasEnded()) this.#onLog(line);
      },
      afterQuery: () => {
        if (hasEnded()) throw new Killed("killed");
        if (hasStarted) this.#afterQuery();
      },
      afterCommitFailed: (error) => {
        if (!hasEnded()) this.fail("fault-after-commit", String(error));
      },
    }).finally(() => {
      hasStarted = true;
    });
    starting.catch(() => {});
    while (!hasStarted) {
      await drain();
      this.time.fireNext(0);
    }
    this.#shop = { ...(await starting), file, hasEnded };
    this.#openReader();
    this.note("the shop starts");
  }

  /** Kills the process after so many queries; 0 kills it now. The next one starts after `downtime`. */
  crash(queries: number, downtime: number): void {
    if (this.#shop === undefined || this.#shop.hasEnded()) return;
    this.#kill = { queries, downtime };
    if (queries === 0) this.#killNow(this.#shop);
  }

  /** Releases all resources, in any state. */
  async end(): Promise<void> {
    this.#kills += 1;
    this.time.restart();
    await this.#shop?.database.close().catch(() => {});
    this.#reader?.close();
    this.time.release();
  }

  get #file(): string {
    return join(this.#folder, `shop-${this.#kills}.db`);
  }

  #openReader(): void {
    this.#reader?.close();
    this.#reader = openStateReader(this.#file);
    this.#detectCommit();
  }

  #afterQuery(): void {
    this.#detectCommit();
    if (this.#kill === undefined || this.#shop === undefined) return;
    this.#kill.queries -= 1;
    if (this.#kill.queries > 0) return;
    this.#killNow(this.#shop);
    throw new Killed("killed");
  }

  /** The next process starts with the data that is committed now: the file and its write-ahead log. */
  #killNow({ file }: ShopProcess): void {
    this.#kills += 1;
    for (const end of ["", "-wal"])
      if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${this.#file}${end}`);
  }

  /** Releases a killed process, and opens the database that it left. */
  async #cleanUp(): Promise<void> {
    const shop = this.#shop;
    if (shop === undefined || !shop.hasEnded()) return;
    this.note("the shop is killed");
    await drain();
    this.#shop = undefined;
    this.time.restart();
    // Connections are lost without a close frame.
    for (const onLost of this.#connections) onLost();
    this.after(this.#kill?.downtime ?? 0, () => {
      this.#isStartDue = true;
    });
    this.#kill = undefined;
    shop.database.close().catch(() => {});
    this.#openReader();
  }

  /** The shop runs for some iterations of the event loop between two actions. */
  async #runDueActions(): Promise<void> {
    while ((this.#actions[0]?.at ?? Number.POSITIVE_INFINITY) <= this.now) {
      this.#actions.shift()?.action();
      for (let left = this.#iterations.below(MAX_ITERATIONS); left > 0; left -= 1) {
        this.time.fireNext(0);
        await drain();
      }
    }
  }

  async #runUntilIdle(): Promise<void> {
    do {
      await drain();
      await this.#cleanUp();
      if (this.#isStartDue) {
        this.#isStartDue = false;
        await this.start();
      }
    } while (this.time.fireNext(0));
    this.onIdle();
  }

  #detectCommit(): void {
    const state = this.#reader?.state();
    if (state === undefined || state === this.state) return;
    this.state = state;
    this.onCommit(state);
  }

  #newId(): string {
    this.#ids += 1;
    return `${this.#ids.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  }

  #fetch(hasEnded: () => boolean): typeof globalThis.fetch {
    return createTransport({
      provider: this.provider,
      now: () => this.now,
      faults: this.providerFaults,
      random: this.#transport,
      after: (milliseconds, action) =>
        this.after(milliseconds, () => {
          if (!hasEnded()) action();
        }),
      onCall: (path, fault) =>
        this.note(`the shop calls ${path.slice(4)}${fault === undefined ? "" : `: ${fault}`}`),
    });
  }

  #onLog(line: string): void {
    const { level, msg, err, why }: Record<string, unknown> = JSON.parse(line);
    const reason = Reflect.get(Object(err), "type") ?? why;
    this.note(`log: ${msg}${reason === undefined ? "" : ` (${reason})`}`);
    if (Number(level) >= ERROR) this.fail("error-in-log", line.slice(0, 2_000));
  }

  #checkEmitted(id: string, version: number): void {
    const order = this.state.orders.get(id);
    if (order !== undefined && order.version >= version) return;
    const detail = `version ${version} of order ${id} was emitted before it was committed`;
    this.fail("emitted-before-commit", detail);
  }
}
