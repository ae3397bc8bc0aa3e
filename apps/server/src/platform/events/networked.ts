import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import * as z from "zod/mini";
import { reasonOf } from "../errors.ts";
import { parseJson } from "../parse-json.ts";
import { backoff } from "../scheduling/clock.ts";
import { type Bus, type Change, createListeners, wholeTopics } from "./bus.ts";
import { type Batch, createPendingChanges } from "./pending-changes.ts";

/**
 * Broadcasts messages to all processes, including the sender. It sends and receives on different
 * connections, so a process that receives its own message (an echo) also receives the messages of
 * other processes.
 */
export interface Transport {
  send(text: string): Promise<void>;
  /** Resolves with the error when the connection is lost. */
  readonly lost: Promise<unknown>;
  /** A hint for the log if the transport connects but delivers nothing. */
  readonly silenceHint?: string;
  close(): Promise<void>;
}

/** Connects a {@link Transport}. */
export type OpenTransport = (onMessage: (text: string) => void) => Promise<Transport>;

/** In milliseconds. */
const defaultTimes = {
  /** The heartbeat interval. A transport without an echo for two intervals is reopened. */
  heartbeat: 10_000,
  /** The timeout for the first echo on a new transport. */
  firstEcho: 3_000,
  /** The backoff before a reconnect: doubled after each failure, up to `maxBackoff`. */
  backoff: 100,
  maxBackoff: 5_000,
};
export type TransportTimes = Readonly<typeof defaultTimes>;

interface Options {
  readonly open: OpenTransport;
  /** Called after each connect, and with the error after each failure. */
  readonly onState: (connected: boolean, error?: unknown) => void;
  readonly times?: TransportTimes;
}

const messageSchema = z.object({
  from: z.string(),
  sent: z.number(),
  orders: z.array(z.tuple([z.string(), z.int()])),
  /** A newer version may send unknown topics. */
  topics: z.array(z.string()),
  gap: z.boolean(),
});

const EMPTY: Batch = { orders: [], topics: [], gap: false };

/**
 * A bus between processes, over any transport. It reconnects without limit, and publishes a `gap`
 * in this process after each connect, because messages may have been missed. Changes that are
 * published while a message is being sent go into the next one. If a message cannot be sent, or
 * while there is no connection, the next one has a `gap` instead.
 */
export function createNetworkedBus({ open, onState, times = defaultTimes }: Options): Bus {
  const self = randomUUID();
  const listeners = createListeners();
  const pending = createPendingChanges();
  let transport: Transport | undefined;
  /** Whether an echo has been received on the current transport. */
  let connected = false;
  let sending = false;
  let closed = false;
  let failures = 0;
  let lag = 0;
  let openedAt = 0;
  let lastEchoAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function onMessage(text: string): void {
    const message = messageSchema.safeParse(parseJson(text)).data;
    if (message === undefined) return;
    if (message.from === self) return onEcho(message.sent);
    for (const change of changesOf(message)) listeners.notify(change);
  }

  /** Only an echo proves that the transport works in both directions. */
  function onEcho(sent: number): void {
    if (sent < openedAt) return; // Sent on an earlier transport.
    lastEchoAt = performance.now();
    lag = lastEchoAt - sent;
    if (connected) return;
    connected = true;
    failures = 0;
    onState(true);
    listeners.notify({ topic: "gap" });
    void flush();
  }

  async function send(to: Transport, batch: Batch): Promise<void> {
    await to.send(JSON.stringify({ from: self, sent: performance.now(), ...batch }));
  }

  async function flush(): Promise<void> {
    sending = true;
    try {
      while (transport !== undefined && connected) {
        const batch = pending.take();
        if (batch === undefined) break;
        const to = transport;
        await send(to, batch).catch((error: unknown) => {
          pending.add({ topic: "gap" });
          onLost(to, error);
        });
      }
    } finally {
      sending = false;
    }
  }

  function onLost(which: Transport, error: unknown): void {
    if (which !== transport) return;
    transport = undefined;
    connected = false;
    clearTimeout(timer);
    which.close().catch(() => {});
    if (closed) return;
    onState(false, error);
    connectLater();
  }

  function connectLater(): void {
    timer = setTimeout(connect, backoff(failures, times.backoff, times.maxBackoff)).unref();
    failures += 1;
  }

  async function connect(): Promise<void> {
    let opened: Transport;
    try {
      opened = await open(onMessage);
    } catch (error) {
      if (closed) return;
      onState(false, error);
      return connectLater();
    }
    if (closed) return void opened.close().catch(() => {});
    transport = opened;
    openedAt = performance.now();
    lastEchoAt = openedAt;
    opened.lost.then((error) => onLost(opened, error));
    sendHeartbeat(opened, times.firstEcho);
  }

  /** A broken TCP connection may look open for a long time. */
  function checkEcho(on: Transport): void {
    if (!connected)
      return onLost(on, new Error(`own messages do not come back${on.silenceHint ?? ""}`));
    if (performance.now() - lastEchoAt > 2 * times.heartbeat)
      return onLost(on, new Error("own messages do not come back"));
    sendHeartbeat(on, times.heartbeat);
  }

  /** @param timeout until its echo is checked, in milliseconds */
  function sendHeartbeat(on: Transport, timeout: number): void {
    send(on, EMPTY).catch((error: unknown) => onLost(on, error));
    timer = setTimeout(checkEcho, timeout, on).unref();
  }

  void connect();
  return {
    publish(change) {
      listeners.notify(change);
      pending.add(connected ? change : { topic: "gap" });
      if (!sending && connected) {
        sending = true;
        setImmediate(flush);
      }
    },
    subscribe: listeners.subscribe,
    get health() {
      return { connected, lag };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
      const last = transport;
      if (last !== undefined) {
        await flush();
        transport = undefined;
        connected = false;
        await last.close().catch(() => {});
      }
    },
  };
}

function changesOf({ orders, topics, gap }: z.output<typeof messageSchema>): Change[] {
  return [
    ...orders.map(([id, version]): Change => ({ topic: "order", id, version })),
    ...wholeTopics.filter((topic) => topics.includes(topic)).map((topic): Change => ({ topic })),
    ...(gap ? [{ topic: "gap" } as const] : []),
  ];
}

/** Logs the start and the end of an outage of the bus, once each. */
export function logBusState(log: FastifyBaseLogger): (connected: boolean, error?: unknown) => void {
  let wasConnected = true;
  return (connected, error) => {
    if (connected === wasConnected) return;
    wasConnected = connected;
    if (connected) log.warn("the bus between the processes is connected again");
    else
      log.error(
        { why: reasonOf(error) },
        "the bus between the processes is disconnected; changes by other processes arrive late",
      );
  };
}
