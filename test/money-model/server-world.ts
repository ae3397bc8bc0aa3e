/** The world of actors whose shop is server processes: requests are concurrent, and time is real. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import {
  createProvider,
  createTransport,
  type ProviderFault,
} from "../../simulation/actors/provider.ts";
import { emptyState, type State } from "../../simulation/committed-state.ts";
import { Faults } from "../../simulation/faults.ts";
import { createRandom } from "../../simulation/random.ts";
import {
  type Answer,
  type Connection,
  type Failure,
  type Listener,
  type ShopRequest,
  type Subscription,
  streamPathOf,
  type World,
} from "../../simulation/world.ts";
import { type HttpServer, startHttpServer } from "../harness/http-server.ts";
import { freePort } from "../harness/network.ts";
import { startReceiver } from "../harness/receiver.ts";
import { open, type Started, startProcess } from "../harness/server-process.ts";
import { openReadState, type ReadState } from "./read-state.ts";

/** How many times as fast as in simulated time the actors act. */
export const SPEED = 10;
/** Between two tries of a request, in milliseconds. */
const RETRY = 60;
/** In milliseconds. On a busy machine, a killed server takes half a minute to start. */
const MAX_OUTAGE = 180_000;
const program = join(import.meta.dirname, "server.ts");
const ADMIN_TOKEN = randomUUID();

interface Server {
  readonly cwd: string;
  readonly port: number;
  process: Started;
}

export class ServerWorld implements World, AsyncDisposable {
  readonly seesEachCommit = false;
  readonly initialStock = 1_000;
  readonly provider = createProvider(() => this.now);
  readonly providerFaults = new Faults<ProviderFault>(() => Date.now() * SPEED);
  readonly received = new Set<string>();
  readonly failures: Failure[] = [];
  readonly history: string[] = [];
  state: State = emptyState;
  /** Called with the data after each answer. */
  onState: (state: State) => void = () => {};
  readonly #start = Date.now();
  /** Ended in reverse order. */
  readonly #resources = new AsyncDisposableStack();
  #readState: ReadState | undefined;
  readonly #servers: Server[] = [];
  #environment: Readonly<Record<string, string>> = {};
  /** How far the servers' clocks are ahead of the machine's, in milliseconds. */
  #ahead = 0;
  #output = "";
  #turns = 0;
  #timers = 0;
  #requests = 0;
  #isClosed = false;
  #reading = Promise.resolve();
  #nextReading: Promise<void> | undefined;

  /**
   * Starts servers of one shop: one on an SQLite file, or two on a PostgreSQL database.
   *
   * @param folder their working directory
   */
  static async start(seed: number, databaseUrl: string, folder: string): Promise<ServerWorld> {
    const world = new ServerWorld();
    const provider = world.#resources.use(await world.#startProvider(seed));
    const receiver = world.#resources.use(
      await startReceiver((response, { id }) => {
        world.received.add(id);
        response.writeHead(204).end();
      }),
    );
    world.#environment = {
      DATABASE_URL: databaseUrl,
      ADMIN_TOKEN,
      LOAN_API_URL: provider.url,
      LOAN_API_KEY: "the-key-of-the-model",
      LOAN_POPUP_URL_TEST: provider.url,
      WEBHOOKS_PRIVATE: "on",
      DRAIN_SECONDS: "0",
      RATE_LIMIT_ORDERS: "1000000",
      RATE_LIMIT_SOCKETS: "1000000",
      MAX_SOCKETS_PER_ADDRESS: "1000000",
      LOG_LEVEL: "error",
      MODEL_RECEIVER: receiver.url,
      MODEL_STOCK: String(world.initialStock),
    };
    for (let left = databaseUrl.startsWith("file:") ? 1 : 2; left > 0; left -= 1) {
      const server = { cwd: folder, port: await freePort() };
      world.#servers.push({ ...server, process: await world.#startProcess(server) });
    }
    world.#readState = await openReadState(databaseUrl);
    world.#resources.defer(world.#readState.close);
    await world.refresh();
    return world;
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
    return Date.now() + this.#ahead;
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

  /** The simulation checks what a page shows; here it only makes the server ask for the loan. */
  connect(subscription: Subscription, { onClose }: Listener): Connection | undefined {
    const origin = this.#nextUrl();
    const socket = new WebSocket(`${origin}${streamPathOf(subscription)}`, { origin });
    socket.on("error", () => {});
    socket.on("close", onClose);
    return socket;
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

  /** Kills a process with SIGKILL, and starts it again. */
  async killOne(place: number): Promise<void> {
    this.note("kill");
    const server = this.#servers[place % this.#servers.length];
    if (server !== undefined) await this.#kill(server);
  }

  /** Kills all processes and starts them with clocks that are ahead. */
  async advance(milliseconds: number): Promise<void> {
    this.note("the clocks are set forward");
    this.#ahead += milliseconds;
    await Promise.all(this.#servers.map((server) => this.#kill(server)));
  }

  /** The lines that the servers have logged as errors. */
  errors(): string[] {
    const outputs = [this.#output, ...this.#servers.map(({ process }) => process.output())];
    return outputs.flatMap((output) =>
      output.split("\n").filter((line) => line.includes('"level":50')),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#servers.map(({ process }) => process.end("SIGKILL")));
    await this.#resources.disposeAsync();
  }

  async #kill(server: Server): Promise<void> {
    await server.process.end("SIGKILL");
    this.#output += server.process.output();
    server.process = await this.#startProcess(server);
  }

  async #startProcess({ cwd, port }: Omit<Server, "process">): Promise<Started> {
    const args = ["--disable-warning=ExperimentalWarning", program];
    const env = { ...this.#environment, MODEL_AHEAD: String(this.#ahead) };
    return open(await startProcess({ args, env, cwd, port }));
  }

  #startProvider(seed: number): Promise<HttpServer> {
    const call = createTransport({
      provider: this.provider,
      now: () => this.now,
      faults: this.providerFaults,
      random: createRandom(`${seed}/faults`),
      after: (milliseconds, action) => void setTimeout(action, milliseconds / SPEED),
      onCall: () => {},
    });
    return startHttpServer(async (request, response) => {
      try {
        const answer = await call(`http://provider${request.url}`);
        const body = Buffer.from(await answer.arrayBuffer());
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
      } catch {
        response.destroy();
      }
    });
  }

  /** The processes take turns. */
  #nextUrl(): string {
    this.#turns += 1;
    return `http://localhost:${this.#servers[this.#turns % this.#servers.length]?.port}`;
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

  async #sendOnce({ by, method, url, headers, payload }: ShopRequest): Promise<Answer> {
    const origin = this.#nextUrl();
    const response = await fetch(`${origin}${url}`, {
      method,
      headers: {
        ...headers,
        origin,
        ...(by === "staff" && { authorization: `Bearer ${ADMIN_TOKEN}` }),
        ...(payload && { "content-type": "application/json" }),
      },
      ...(payload && { body: JSON.stringify(payload) }),
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
