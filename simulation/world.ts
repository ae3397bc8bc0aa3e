import { createHash } from "node:crypto";
import { DAY } from "../apps/server/src/platform/scheduling/clock.ts";
import type { ProviderFault } from "./actions.ts";
import { emptyState, type State, type StateReader } from "./committed-state.ts";
import { Machine } from "./machine.ts";
import { createProvider, type Provider } from "./provider.ts";
import { type AnswerFault, answerFault, createTransport } from "./provider-transport.ts";
import { createRandom, type Random } from "./random.ts";
import { Receiver } from "./receiver.ts";
import { type Answer, type ShopProcess, type ShopRequest, staffHeaders } from "./shop.ts";
import {
  createScheduler,
  drain,
  installVirtualClock,
  type Scheduler,
  type VirtualClock,
} from "./virtual-clock.ts";

export interface Failure {
  /** The name of the broken invariant, such as `paid-without-proof`. */
  readonly invariant: string;
  readonly detail: string;
}

interface ConnectedPage {
  /** Called when the connection is lost without a close frame. */
  onConnectionLost(): void;
}

const START = Date.UTC(2030, 0, 1, 9);
/** The limit of event loop iterations between two actions in the same millisecond, exclusive. */
const MAX_ITERATIONS = 12;
/** Pino's level for errors. */
const ERROR = 50;

/** A simulated shop with its environment: clock, machine, provider, receivers and pages. */
export class World {
  readonly time: VirtualClock;
  readonly provider: Provider;
  readonly machine: Machine;
  readonly receiver: Receiver;
  readonly pages = new Set<ConnectedPage>();
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
  readonly #faults: Random;
  readonly #iterations: Random;
  #providerFault: { readonly kind: ProviderFault; readonly until: number } | undefined;
  #ids = 0;

  /** @param folder an empty folder, except for `web` with the built storefront */
  constructor(seed: number, folder: string) {
    const random = createRandom(`${seed}/math`);
    this.#faults = createRandom(`${seed}/faults`);
    this.#iterations = createRandom(`${seed}/iterations`);
    this.time = installVirtualClock(START, () => random.below(2 ** 30) / 2 ** 30);
    this.provider = createProvider(() => this.time.now);
    this.receiver = new Receiver({
      random: createRandom(`${seed}/receiver`),
      now: () => this.time.now,
      after: (milliseconds, action) => this.after(milliseconds, action),
      note: (text) => this.note(text),
      fail: (invariant, detail) => this.fail(invariant, detail),
      state: () => this.state,
    });
    this.machine = new Machine({
      time: this.time,
      folder,
      newId: () => this.#newId(),
      transport: (hasEnded) => this.#transport(hasEnded),
      channel: (hasEnded) => this.receiver.channel(hasEnded),
      post: (hasEnded) => this.receiver.post(hasEnded),
      note: (text) => this.note(text),
      onChange: (change) =>
        change.topic === "order" && this.#checkEmitted(change.id, change.version),
      onLog: (line) => this.#onLog(line),
      onFault: (error) => this.fail("fault-after-commit", String(error)),
      onQuery: () => this.#detectCommit(),
      onEnd: (downtime) => this.#onShopEnd(downtime),
    });
  }

  get shop(): ShopProcess | undefined {
    const { shop } = this.machine;
    return shop?.hasEnded === true ? undefined : shop;
  }

  get database(): StateReader {
    return this.machine.database;
  }

  /** Sends a request of staff, if the shop runs. */
  requestAsStaff(request: ShopRequest, onAnswer: (answer: Answer) => void): void {
    const headers = { ...request.headers, ...staffHeaders };
    this.shop?.request({ ...request, headers }, onAnswer);
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

  /** @param duration in milliseconds */
  setProviderFault(kind: ProviderFault | undefined, duration = 0): void {
    this.#providerFault = kind && { kind, until: this.time.now + duration };
  }

  /** Runs the next action or timer. @param until the latest time to advance to, in epoch milliseconds */
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
    const state = this.database.state();
    if (state === this.state) return;
    this.state = state;
    this.onCommit(state);
  }

  #newId(): string {
    this.#ids += 1;
    return `${this.#ids.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  }

  #transport(hasEnded: () => boolean): typeof globalThis.fetch {
    return createTransport({
      provider: this.provider,
      now: () => this.time.now,
      nextFault: () => this.#nextAnswerFault(),
      after: (milliseconds, action) =>
        this.after(milliseconds, () => {
          if (!hasEnded()) action();
        }),
      onCall: (path, { fault }) =>
        this.note(`the shop calls ${path.slice(4)}${fault === "none" ? "" : `: ${fault}`}`),
    });
  }

  #nextAnswerFault(): AnswerFault {
    const fault = this.#providerFault;
    const isActive = fault !== undefined && fault.until > this.time.now;
    return answerFault(isActive ? fault.kind : undefined, this.#faults.below(1_000));
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
    for (const page of this.pages) page.onConnectionLost();
    if (downtime !== undefined) this.after(downtime, () => this.machine.request("start"));
  }
}
