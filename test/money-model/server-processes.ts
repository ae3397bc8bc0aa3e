import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../harness/network.ts";
import { open, type Started, startProcess } from "../harness/server-process.ts";

interface Options {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly providerUrl: string;
  readonly receiverUrl: string;
  /** How many processes share the database. */
  readonly count: number;
  /** How long an order may wait for its payment, in milliseconds. */
  readonly term: number;
}

const program = join(import.meta.dirname, "server.ts");

export type ServerProcesses = Awaited<ReturnType<typeof startServerProcesses>>;

/** Server processes of one shop, which can be killed and then start again. */
export async function startServerProcesses(options: Options) {
  const token = randomUUID();
  let ahead = 0;
  let output = "";
  const env = {
    DATABASE_URL: options.databaseUrl,
    ADMIN_TOKEN: token,
    LOAN_API_URL: options.providerUrl,
    LOAN_API_KEY: "the-key-of-the-model",
    LOAN_POPUP_URL_TEST: options.providerUrl,
    WEBHOOKS_PRIVATE: "on",
    DRAIN_SECONDS: "0",
    RATE_LIMIT_ORDERS: "1000000",
    RATE_LIMIT_SOCKETS: "1000000",
    MAX_SOCKETS_PER_ADDRESS: "1000000",
    LOG_LEVEL: "error",
    MODEL_TERM: String(options.term),
    MODEL_RECEIVER: options.receiverUrl,
  };
  async function start(port: number): Promise<Started> {
    const args = ["--disable-warning=ExperimentalWarning", program];
    const here = { env: { ...env, MODEL_AHEAD: String(ahead) }, cwd: options.folder, port };
    return open(await startProcess({ ...here, args }));
  }
  const servers: { readonly port: number; process: Started }[] = [];
  for (let left = options.count; left > 0; left -= 1) {
    const port = await freePort();
    servers.push({ port, process: await start(port) });
  }
  let requests = 0;

  async function kill(server: (typeof servers)[number]): Promise<void> {
    await server.process.end("SIGKILL");
    output += server.process.output();
    server.process = await start(server.port);
  }

  return {
    token,
    /** The processes take turns. */
    nextUrl(): string {
      requests += 1;
      return `http://localhost:${servers[requests % servers.length]?.port}`;
    },
    /** How far the servers' clocks are ahead of the machine's, in milliseconds. */
    ahead: () => ahead,
    /** Kills a process with SIGKILL, and starts it again. */
    async killOne(place: number): Promise<void> {
      const server = servers[place % servers.length];
      if (server !== undefined) await kill(server);
    },
    /** Kills all processes and starts them with clocks that are ahead. */
    async advance(milliseconds: number): Promise<void> {
      ahead += milliseconds;
      await Promise.all(servers.map(kill));
    },
    /** The lines that the servers have logged as errors. */
    errors: () =>
      [output, ...servers.map(({ process }) => process.output())]
        .join("\n")
        .split("\n")
        .filter((line) => line.includes('"level":50')),
    async close(): Promise<void> {
      await Promise.all(servers.map(({ process }) => process.end("SIGKILL")));
    },
  };
}
