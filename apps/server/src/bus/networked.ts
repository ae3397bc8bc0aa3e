import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Bus, Change } from "./bus.ts";
import { createListeners } from "./listeners.ts";
import { type Batch, createOutbox } from "./outbox.ts";

/**
 * Connections over which every process hears what any of them sends, itself included. It sends on another than the one on
 * which it hears, so that hearing itself shows that it would hear others too.
 */
export interface Line {
  send(text: string): Promise<void>;
  /** What may be wrong where a line opens and carries nothing from its start. */
  readonly ifSilent?: string;
  close(): Promise<void>;
}

/** Opens a {@link Line}; `lost` may be called more than once. */
export type OpenLine = (on: { heard(text: string): void; lost(error: unknown): void }) => Promise<Line>;

/** All in milliseconds. */
export interface LineTimes {
  /** Between two messages that only show that the line is alive; one that does not come back in this time breaks it. */
  readonly beat: number;
  /** How long the first message of a new line may take to come back. */
  readonly proof: number;
  /** Until a broken line is opened anew; each further time twice as long, up to `longestPause`. */
  readonly pause: number;
  readonly longestPause: number;
}

const lineTimes: LineTimes = { beat: 10_000, proof: 3_000, pause: 100, longestPause: 5_000 };

interface Options {
  readonly open: OpenLine;
  /** Hears when the line has broken, with why, and when it is there again. */
  readonly onState: (connected: boolean, error?: unknown) => void;
  readonly times?: LineTimes;
}

const messageSchema = z.object({
  from: z.string(),
  sent: z.number(),
  orders: z.array(z.tuple([z.string(), z.int()])),
  catalogue: z.boolean(),
  gap: z.boolean(),
});

const NOTHING: Batch = { orders: [], catalogue: false, gap: false };

/**
 * A bus between processes, over any line. It opens the line by itself, again and again; whenever it is there again,
 * listeners hear of a gap. Changes leave in batches: while one message is on its way the next one gathers.
 */
export function createNetworkedBus({ open, onState, times = lineTimes }: Options): Bus {
  const self = randomUUID();
  const listeners = createListeners();
  const outbox = createOutbox();
  let line: Line | undefined;
  /** The present line has brought one of our own messages back. */
  let proven = false;
  let sending = false;
  let closed = false;
  let pause = times.pause;
  let lag = 0;
  let openedAt = 0;
  let heardAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function heard(text: string): void {
    const message = messageSchema.safeParse(parsed(text)).data;
    if (message === undefined) return;
    if (message.from === self) return cameRound(message.sent);
    for (const change of changesOf(message)) listeners.tell(change);
  }

  /** One of our own messages has come back: this, and nothing else, shows that the line carries both ways. */
  function cameRound(sent: number): void {
    if (sent < openedAt) return; // It was sent on an earlier line.
    heardAt = performance.now();
    lag = heardAt - sent;
    if (proven) return;
    proven = true;
    pause = times.pause;
    onState(true);
    listeners.tell({ topic: "gap" });
    void flush();
  }

  async function send(to: Line, batch: Batch): Promise<void> {
    await to.send(JSON.stringify({ from: self, sent: performance.now(), ...batch }));
  }

  async function flush(): Promise<void> {
    sending = true;
    try {
      while (line !== undefined && proven) {
        const batch = outbox.take();
        if (batch === undefined) break;
        const to = line;
        await send(to, batch).catch((error: unknown) => {
          outbox.putBack(batch);
          lost(to, error);
        });
      }
    } finally {
      sending = false;
    }
  }

  function lost(which: Line, error: unknown): void {
    if (which !== line) return;
    line = undefined;
    proven = false;
    clearTimeout(timer);
    which.close().catch(() => {});
    if (closed) return;
    onState(false, error);
    connectLater();
  }

  function connectLater(): void {
    timer = setTimeout(connect, pause);
    timer.unref();
    pause = Math.min(pause * 2, times.longestPause);
  }

  async function connect(): Promise<void> {
    let opened: Line | undefined;
    let broken: unknown;
    try {
      opened = await open({
        heard,
        lost(error) {
          broken ??= error;
          if (opened !== undefined) lost(opened, error);
        },
      });
    } catch (error) {
      broken = error;
    }
    if (closed || opened === undefined || broken !== undefined) {
      await opened?.close().catch(() => {});
      if (closed) return;
      onState(false, broken);
      return connectLater();
    }
    begin(opened);
  }

  function begin(opened: Line): void {
    line = opened;
    openedAt = performance.now();
    heardAt = openedAt;
    sayNothing(opened, times.proof);
  }

  /** A line may look open long after it has broken: only what comes back proves it. */
  function beat(on: Line): void {
    if (!proven) return lost(on, new Error(`nothing comes back${on.ifSilent ?? ""}`));
    if (performance.now() - heardAt > 2 * times.beat) return lost(on, new Error("nothing comes back"));
    sayNothing(on, times.beat);
  }

  /** @param pause until it is looked at again whether the line is sound, in milliseconds */
  function sayNothing(on: Line, pause: number): void {
    send(on, NOTHING).catch((error: unknown) => lost(on, error));
    timer = setTimeout(beat, pause, on);
    timer.unref();
  }

  void connect();
  return {
    publish(change) {
      listeners.tell(change);
      outbox.add(change);
      if (!sending && proven) {
        sending = true;
        setImmediate(flush);
      }
    },
    subscribe: listeners.subscribe,
    get health() {
      return { connected: proven, lag };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
      const last = line;
      if (last !== undefined) {
        await flush();
        line = undefined;
        proven = false;
        await last.close().catch(() => {});
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function changesOf({ orders, catalogue, gap }: z.output<typeof messageSchema>): Change[] {
  return [
    ...orders.map(([id, version]): Change => ({ topic: "order", id, version })),
    ...(catalogue ? [{ topic: "catalogue" } as const] : []),
    ...(gap ? [{ topic: "gap" } as const] : []),
  ];
}
