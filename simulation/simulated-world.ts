import { createHash } from "node:crypto";
import { join } from "node:path";
import { DAY } from "../apps/server/src/platform/scheduling/clock.ts";
import type { Trouble } from "./actors/actions.ts";
import { createProvider, type Provider } from "./actors/provider.ts";
import { createTransport, ProviderFaults } from "./actors/provider-transport.ts";
import { emptyState, type State } from "./committed-state.ts";
import { type Environment, Machine } from "./machine.ts";
import { openPageSocket } from "./page-socket.ts";
import { createRandom, type Random } from "./random.ts";
import { Receiver } from "./receiver.ts";
import { INITIAL_STOCK, PUBLIC_URL, type ShopProcess, staffHeaders } from "./shop.ts";
import {
  createScheduler,
  drain,
  installVirtualClock,
  type Scheduler,
  type VirtualClock,
} from "./virtual-clock.ts";
import type {
  Answer,
  Connection,
  Failure,
  Listener,
  ShopRequest,
  Subscription,
  World,
} from "./world.ts";

const START = Date.UTC(2030, 0, 1, 9);
/** The limit of event loop iterations between two actions in the same millisecond, exclusive. */
const MAX_ITERATIONS = 12;
/** Pino's level for errors. */
const ERROR = 50;

/** A simulated shop with its environment: clock, machine, provider and receivers. */
export class SimulatedWorld implements World {
  readonly time: VirtualClock;
  readonly provider: Provider;
  readonly providerFaults: ProviderFaults;
  readonly machine: Machine;
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
  readonly #scheduler: Scheduler = createScheduler();
  /** What to call when the connection of a page is lost. */
  readonly #connections = new Set<() => void>();
  readonly #iterations: Random;
  readonly #webRoot: string;
  #ids = 0;

  /** @param folder an empty folder, except for `web` with the built storefront */
  constructor(seed: number, folder: string) {
    const random = createRandom(`${seed}/math`);
    this.#iterations = createRandom(`${seed}/iterations`);
    this.time = installVirtualClock(START, () => random.below(2 ** 30) / 2 ** 30);
    this.provider = createProvider(() => this.now);
    this.providerFaults = new ProviderFaults(createRandom(`${seed}/faults`), () => this.now);
    this.receiver = new Receiver(this, createRandom(`${seed}/receiver`));
    this.#webRoot = join(folder, "web");
    this.machine = new Machine({
      time: this.time,
      folder,
      environment: (hasEnded) => this.#environment(hasEnded),
      note: (text) => this.note(text),
      onQuery: () => this.#detectCommit(),
      onEnd: (downtime) => this.#onShopEnd(downtime),
    });
  }

  get shop(): ShopProcess | undefined {
    const { shop } = this.machine;
    return shop?.hasEnded === true ? undefined : shop;
  }

  get now(): number {
    return this.time.now;
  }

  get received(): ReadonlySet<string> {
    return this.receiver.received;
  }

  request(request: ShopRequest, onAnswer: (answer: Answer) => void): void {
    const headers = { ...request.headers, origin: PUBLIC_URL };
    this.shop?.request({ ...request, headers }, onAnswer);
  }

  requestAsStaff(request: ShopRequest, onAnswer: (answer: Answer) => void): void {
    const headers = { ...request.headers, ...staffHeaders };
    this.shop?.request({ ...request, headers }, onAnswer);
  }

  connect(subscription: Subscription, { onMessage, onClose }: Listener): Connection | undefined {
    const { shop } = this;
    if (shop === undefined) return undefined;
    const onLost = () => {
      if (this.#connections.delete(onLost)) onClose();
    };
    this.#connections.add(onLost);
    return openPageSocket(shop.app.http, subscription, {
      onMessage: (text) => {
        if (!shop.hasEnded) onMessage(text);
      },
      onClose: onLost,
    });
  }

  note(text: string): void {
    const elapsed = this.time.now - START;
    const time = new Date(elapsed % DAY).toISOString().slice(11, 23);
    this.history.push(`day ${Math.floor(elapsed / DAY) + 1} ${time} ${text}`);
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
    this.#scheduler.schedule(this.time.now + milliseconds, action);
  }

  cause(trouble: Trouble): void {
    switch (trouble.kind) {
      case "provider-fault":
        this.note(`the provider is ${trouble.fault} for ${trouble.duration} ms`);
        return this.providerFaults.set(trouble.fault, trouble.duration);
      case "receiver-fault":
        this.note(`the receivers are ${trouble.fault} for ${trouble.duration} ms`);
        return this.receiver.setFault(trouble.fault, trouble.duration);
      case "crash":
        return this.machine.killAfter(trouble.afterQueries, trouble.downtime);
      case "stop":
        this.machine.request("stop");
        return this.after(trouble.downtime, () => this.machine.request("start"));
      case "set-clock":
        this.note(`the system clock is set by ${trouble.by} ms`);
        return this.time.adjust(trouble.by);
    }
  }

  /** Runs the next action or timer. `until`: the latest time to advance to, in epoch milliseconds. */
  async step(until: number): Promise<void> {
    this.steps += 1;
    await this.#runUntilIdle();
    if (this.failure !== undefined) return;
    const { next } = this.#scheduler;
    const isTimer = this.time.fireNext(Math.max(0, Math.min(next, until) - this.time.now));
    if (!isTimer) await this.#runDueActions();
    await this.#runUntilIdle();
  }

  async end(): Promise<void> {
    await this.machine.end();
    this.time.release();
  }

  /** The shop runs for some iterations of the event loop between two actions. */
  async #runDueActions(): Promise<void> {
    while (this.#scheduler.next <= this.time.now) {
      this.#scheduler.runNext();
      for (let left = this.#iterations.below(MAX_ITERATIONS); left > 0; left -= 1) {
        this.time.fireDue();
        await drain();
      }
    }
  }

  async #runUntilIdle(): Promise<void> {
    do {
      await drain();
      await this.machine.update();
    } while (this.time.fireDue());
    this.onIdle();
  }

  #detectCommit(): void {
    const state = this.machine.database?.state();
    if (state === undefined || state === this.state) return;
    this.state = state;
    this.onCommit(state);
  }

  #newId(): string {
    this.#ids += 1;
    return `${this.#ids.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  }

  #environment(hasEnded: () => boolean): Environment {
    return {
      webRoot: this.#webRoot,
      newId: () => this.#newId(),
      fetch: this.#transport(hasEnded),
      channel: this.receiver.channel(hasEnded),
      post: this.receiver.post(hasEnded),
      onChange: (change) => {
        if (!hasEnded() && change.topic === "order") this.#checkEmitted(change.id, change.version);
      },
      onLog: (line) => {
        if (!hasEnded()) this.#onLog(line);
      },
      afterCommitFailed: (error) => {
        if (!hasEnded()) this.fail("fault-after-commit", String(error));
      },
    };
  }

  #transport(hasEnded: () => boolean): typeof globalThis.fetch {
    return createTransport({
      provider: this.provider,
      now: () => this.now,
      faults: this.providerFaults,
      after: (milliseconds, action) =>
        this.after(milliseconds, () => {
          if (!hasEnded()) action();
        }),
      onCall: (path, { fault }) =>
        this.note(`the shop calls ${path.slice(4)}${fault === "none" ? "" : `: ${fault}`}`),
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

  #onShopEnd(downtime: number | undefined): void {
    // They are lost without a close frame.
    for (const onLost of this.#connections) onLost();
    if (downtime !== undefined) this.after(downtime, () => this.machine.request("start"));
  }
}
