import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the range of ephemeral ports, from which an outgoing connection could take a free port
 * before we listen on it, and above the last port that browsers and `fetch` block.
 */
const [LOWEST, HIGHEST] = [11_000, 30_000];
/**
 * Each test worker has a separate range of ports, so that two workers never choose the same one.
 */
const WORKERS = 16;
const PORTS = Math.floor((HIGHEST - LOWEST) / WORKERS);
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % WORKERS;

/** Ports that were returned before; their programs may not listen yet. */
const taken = new Set<number>();

/** Finds a port on which no program listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + worker * PORTS + Math.floor(Math.random() * PORTS);
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
