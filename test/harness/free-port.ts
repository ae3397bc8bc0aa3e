import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections, one of which could take a free port before we do, and
 * above the last one that browsers and `fetch` refuse to connect to.
 */
const [LOWEST, HIGHEST] = [11_000, 30_000];
/** Each of so many workers at once has ports of its own, so that none takes what another has found free. */
const WORKERS = 16;
const PORTS = Math.floor((HIGHEST - LOWEST) / WORKERS);
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % WORKERS;

/** Handed out already, though perhaps not listened on yet. */
const taken = new Set<number>();

/** A port that nobody listens on. */
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
