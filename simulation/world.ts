import { type Agenda, createAgenda } from "./agenda.ts";
import { type Committed, nothing, type State } from "./committed.ts";
import { createHistory, type History } from "./history.ts";
import { Host } from "./host.ts";
import { type Manner, mannerOf } from "./manner.ts";
import type { Mood } from "./plan.ts";
import { createProvider, type Provider } from "./provider.ts";
import { createRandom, type Random } from "./random.ts";
import { Receiver } from "./receiver.ts";
import type { ShopProcess } from "./shop.ts";
import { createTransport } from "./transport.ts";
import { drain, takeTime, type VirtualTime } from "./virtual-time.ts";

/** A broken invariant. */
export interface Failure {
  /** The name of the invariant, such as `paid-without-proof`. */
  readonly rule: string;
  readonly detail: string;
}

/** A page that is connected to the shop. */
interface Connected {
  /** Called when the connection is lost without a close frame. */
  lose(): void;
}

const START = Date.UTC(2030, 0, 1, 9);
/**
 * How many turns of the event loop, less one, may lie between two things that happen in the same
 * millisecond.
 */
const MOST_TURNS = 12;
/** Pino's level for errors. */
const ERROR = 50;

/** A simulated shop with its environment: time, provider, machine and pages. */
export class World {
  readonly time: VirtualTime;
  readonly provider: Provider;
  readonly host: Host;
  readonly receiver: Receiver;
  readonly history: History = createHistory();
  readonly pages = new Set<Connected>();
  /** Called after each commit. */
  onCommit: (state: State) => void = () => {};
  /** Called when no more work is due at the present time. */
  onCalm: () => void = () => {};
  failure: Failure | undefined;
  steps = 0;
  readonly #agenda: Agenda = createAgenda();
  readonly #manners: Random;
  readonly #turns: Random;
  #mood: { readonly kind: Mood; readonly until: number } | undefined;
  /** The data committed at this moment. */
  state: State = nothing;
  #ids = 0;

  /** @param folder an empty folder, except for `web` with the built web app */
  constructor(seed: number, folder: string) {
    const random = createRandom(`${seed}/math`);
    this.#manners = createRandom(`${seed}/manners`);
    this.#turns = createRandom(`${seed}/turns`);
    this.time = takeTime(START, () => random.below(2 ** 30) / 2 ** 30);
    this.provider = createProvider(() => this.time.now);
    this.receiver = new Receiver({
      random: createRandom(`${seed}/receiver`),
      now: () => this.time.now,
      after: (milliseconds, act) => this.after(milliseconds, act),
      note: (text) => this.note(text),
      fail: (rule, detail) => this.fail(rule, detail),
      state: () => this.state,
    });
    this.host = new Host({
      time: this.time,
      folder,
      newId: () => this.#newId(),
      transport: (isDead) => this.#transport(isDead),
      channel: (isDead) => this.receiver.channel(isDead),
      post: (isDead) => this.receiver.post(isDead),
      note: (text) => this.note(text),
      onChange: (change) => change.topic === "order" && this.#announced(change.id, change.version),
      onLog: (line) => this.#logged(line),
      onFault: (error) => this.fail("fault-after-commit", String(error)),
      onQuery: () => this.#hearCommit(),
      onGone: (down) => this.#shopGone(down),
    });
  }

  get shop(): ShopProcess | undefined {
    const { shop } = this.host;
    return shop?.dead === true ? undefined : shop;
  }

  get committed(): Committed {
    return this.host.committed;
  }

  note(text: string): void {
    this.history.add(this.time.now - START, text);
  }

  /** Reports a broken invariant. The first one ends the simulation. */
  fail(rule: string, detail: string): void {
    if (this.failure !== undefined) return;
    this.failure = { rule, detail };
    this.note(`BROKEN ${rule}: ${detail}`);
  }

  after(milliseconds: number, act: () => void): void {
    this.#agenda.add(this.time.now + milliseconds, act);
  }

  /** @param lasts in milliseconds */
  setMood(mood: Mood | undefined, lasts = 0): void {
    this.#mood = mood && { kind: mood, until: this.time.now + lasts };
  }

  /**
   * Executes the next action or timer. @param until the latest time to advance to, in epoch
   * milliseconds
   */
  async step(until: number): Promise<void> {
    this.steps += 1;
    await this.#settle();
    if (this.failure !== undefined) return;
    const { next } = this.#agenda;
    const isTimer = this.time.fireNext(Math.max(0, Math.min(next, until) - this.time.now));
    if (!isTimer) await this.#runDue();
    await this.#settle();
  }

  async end(): Promise<void> {
    await this.host.end();
    this.time.release();
  }

  /**
   * Does what is due at this moment, with a few turns of the shop between one thing and the next.
   */
  async #runDue(): Promise<void> {
    while (this.#agenda.next <= this.time.now) {
      this.#agenda.run();
      for (let turns = this.#turns.below(MOST_TURNS); turns > 0; turns -= 1) {
        this.time.fireDue();
        await drain();
      }
    }
  }

  /** Executes everything that is due at this moment. */
  async #settle(): Promise<void> {
    do {
      await drain();
      await this.host.attend();
    } while (this.time.fireDue());
    this.onCalm();
  }

  #hearCommit(): void {
    const state = this.committed.state();
    if (state === this.state) return;
    this.state = state;
    this.onCommit(state);
  }

  #newId(): string {
    this.#ids += 1;
    return `${this.#ids.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  }

  #transport(isDead: () => boolean): typeof globalThis.fetch {
    return createTransport({
      provider: this.provider,
      now: () => this.time.now,
      manner: () => this.#manner(),
      after: (milliseconds, act) =>
        this.after(milliseconds, () => {
          if (!isDead()) act();
        }),
      onCall: (path, { fault }) =>
        this.note(`the shop asks ${path.slice(4)}${fault === "none" ? "" : `: ${fault}`}`),
    });
  }

  #manner(): Manner {
    const isMoody = this.#mood !== undefined && this.#mood.until > this.time.now;
    return mannerOf(isMoody ? this.#mood?.kind : undefined, this.#manners.below(1_000));
  }

  #logged(line: string): void {
    const { level, msg, err, why }: Record<string, unknown> = JSON.parse(line);
    const reason = Reflect.get(Object(err), "type") ?? why;
    this.note(`log: ${msg}${reason === undefined ? "" : ` (${reason})`}`);
    if (Number(level) >= ERROR) this.fail("error-in-log", line.slice(0, 2_000));
  }

  #announced(id: string, version: number): void {
    const order = this.state.orders.get(id);
    if (order !== undefined && order.version >= version) return;
    const detail = `version ${version} of order ${id} was announced before it was committed`;
    this.fail("told-before-commit", detail);
  }

  #shopGone(down: number | undefined): void {
    for (const page of this.pages) page.lose();
    if (down !== undefined) this.after(down, () => this.host.want("open"));
  }
}
