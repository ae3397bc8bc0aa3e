import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections, one of which could take a free port before we do, and
 * above the last one that browsers and `fetch` refuse to connect to.
 */
const [LOWEST, HIGHEST] = [11_000, 30_000];

/** Handed out already, though perhaps not listened on yet. */
const taken = new Set<number>();

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
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
