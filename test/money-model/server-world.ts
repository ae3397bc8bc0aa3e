/** The world of actors whose shop is server processes: requests are concurrent, and time is real. */
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Trouble } from "../../simulation/actors/actions.ts";
import { createProvider } from "../../simulation/actors/provider.ts";
import { createTransport, ProviderFaults } from "../../simulation/actors/provider-transport.ts";
import { emptyState, type State } from "../../simulation/committed-state.ts";
import { streamPathOf } from "../../simulation/page-socket.ts";
import type { Random } from "../../simulation/random.ts";
import type {
  Answer,
  Connection,
  Failure,
  Listener,
  ShopRequest,
  Subscription,
  World,
} from "../../simulation/world.ts";
import { type HttpServer, startHttpServer } from "../harness/http-server.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import type { ReadState } from "./read-state.ts";
import type { ServerProcesses } from "./server-processes.ts";

/** How many times as fast as in simulated time the actors act. */
export const SPEED = 10;
/** Between two tries of a request, in milliseconds. */
const RETRY = 60;
/** In milliseconds. On a busy machine, a killed server takes half a minute to start. */
const MAX_OUTAGE = 180_000;

export class ServerWorld implements World {
  readonly seesEachCommit = false;
  readonly initialStock = 1_000;
  readonly provider = createProvider(() => this.now);
  readonly providerFaults: ProviderFaults;
  readonly received = new Set<string>();
  readonly failures: Failure[] = [];
  readonly history: string[] = [];
  state: State = emptyState;
  /** Called with the data after each answer. */
  onState: (state: State) => void = () => {};
  readonly #start = Date.now();
  #servers: ServerProcesses | undefined;
  #readState: ReadState | undefined;
  #timers = 0;
  #requests = 0;
  #isClosed = false;
  #reading = Promise.resolve();
  #nextReading: Promise<void> | undefined;

  constructor(faults: Random) {
    this.providerFaults = new ProviderFaults(faults, Date.now);
  }

  /** Starts acting on a shop. */
  begin(servers: ServerProcesses, readState: ReadState): void {
    this.#servers = servers;
    this.#readState = readState;
  }

  /** The number of requests without an answer. */
  get requests(): number {
    return this.#requests;
  }

  /** Whether no actor waits for anything. */
  get isIdle(): boolean {
    return this.#timers + this.#requests === 0;
  }

  get now(): number {
    return Date.now() + (this.#servers?.ahead() ?? 0);
  }

  note(text: string): void {
    this.history.push(`${Date.now() - this.#start} ${text}`);
  }

  fail(invariant: string, detail: string): void {
    if (this.failures.some((one) => one.detail === detail)) return;
    this.note(`BROKEN ${invariant}: ${detail}`);
    this.failures.push({ invariant, detail });
  }

  after(milliseconds: number, action: () => void): void {
    this.#timers += 1;
    setTimeout(() => {
      this.#timers -= 1;
      if (!this.#isClosed) action();
    }, milliseconds / SPEED);
  }

  request(request: ShopRequest, onAnswer: (answer: Answer) => void): void {
    this.#requests += 1;
    this.#send(request)
      .then(async (answer) => {
        await this.refresh();
        onAnswer(answer);
      })
      .catch((error) => this.fail("stopped", String(error.stack)))
      .finally(() => {
        this.#requests -= 1;
      });
  }

  requestAsStaff(request: ShopRequest, onAnswer: (answer: Answer) => void): void {
    const authorization = `Bearer ${this.#servers?.token}`;
    this.request({ ...request, headers: { ...request.headers, authorization } }, onAnswer);
  }

  /** The simulation checks what a page shows; here it only makes the server ask for the loan. */
  connect(subscription: Subscription, { onClose }: Listener): Connection | undefined {
    const origin = this.#servers?.nextUrl() ?? "";
    const socket = new WebSocket(`${origin}${streamPathOf(subscription)}`, { origin });
    socket.on("error", () => {});
    socket.on("close", onClose);
    return socket;
  }

  /** Kills are made by the run, at any time. */
  cause(trouble: Trouble): void {
    if (trouble.kind === "provider-fault")
      this.providerFaults.set(trouble.fault, trouble.duration / SPEED);
  }

  /** Reads the committed data. Calls during a reading share the next one. */
  refresh(): Promise<void> {
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      this.#reading = this.#read();
      return this.#reading;
    });
    return this.#nextReading;
  }

  startProvider(): Promise<HttpServer> {
    const call = createTransport({
      provider: this.provider,
      now: () => this.now,
      faults: this.providerFaults,
      after: (milliseconds, action) => void setTimeout(action, milliseconds / SPEED),
      onCall: () => {},
    });
    return startHttpServer(async (request, response) => {
      try {
        const answer = await call(`http://provider${request.url}`);
        const body = await answer.arrayBuffer();
        response
          .writeHead(answer.status, Object.fromEntries(answer.headers))
          .end(Buffer.from(body));
      } catch {
        response.destroy();
      }
    });
  }

  startReceiver(): Promise<Receiver> {
    return startReceiver((response, { id }) => {
      this.received.add(id);
      response.writeHead(204).end();
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Repeats a request until there is an answer: a killed server may have carried it out. */
  async #send(request: ShopRequest): Promise<Answer> {
    const end = Date.now() + MAX_OUTAGE;
    while (Date.now() < end && !this.#isClosed) {
      const answer = await this.#sendOnce(request).catch(() => undefined);
      if (answer !== undefined && answer.statusCode < 500) return answer;
      if (answer !== undefined && answer.statusCode !== 503)
        this.fail("error-answered", `${request.method} ${request.url}: ${answer.body}`);
      await pause(RETRY);
    }
    throw new Error(`${request.method} ${request.url} got no answer`);
  }

  async #sendOnce({ method, url, headers, payload }: ShopRequest): Promise<Answer> {
    const origin = this.#servers?.nextUrl() ?? "";
    const content = payload && {
      headers: { ...headers, origin, "content-type": "application/json" },
      body: JSON.stringify(payload),
    };
    const response = await fetch(`${origin}${url}`, {
      method,
      headers: { ...headers, origin },
      ...content,
    });
    const body = await response.text();
    return { statusCode: response.status, body, json: () => JSON.parse(body) };
  }

  async #read(): Promise<void> {
    if (this.#readState === undefined) return;
    this.state = await this.#readState();
    this.onState(this.state);
  }
}
