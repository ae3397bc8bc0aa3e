import {
  HEARTBEAT_INTERVAL,
  heartbeatWanted,
  type StreamMessage,
  shopPaths,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";
import type { OrderLink } from "./order-link.ts";

/** A message about the order itself; heartbeats are left out. */
export type OrderMessage = Exclude<StreamMessage, { type: "heartbeat" }>;

/** The callbacks of {@link followOrder}. */
export interface OrderStreamEvents {
  onOpen(): void;
  onMessage(message: OrderMessage): void;
  /** The connection is lost. A reconnect follows after {@link RECONNECT_DELAY}. */
  onDown(): void;
}

/** The events of one connection. */
export interface ConnectionListener {
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

/** The browser functions that {@link followOrder} needs. */
export interface Network {
  connect(url: URL, listener: ConnectionListener): { close(): void };
  /** Calls the listener when the browser goes offline. @returns a function that unsubscribes */
  onOffline(listener: () => void): () => void;
}

interface Options extends OrderLink {
  readonly events: OrderStreamEvents;
  /** The origin of the shop's server, such as `https://shop.example`. */
  readonly host: string;
  readonly network?: Network;
}

/** The delay from a lost connection to the reconnect, in milliseconds. */
const RECONNECT_DELAY = 5_000;
/** How long the server may take to accept a connection, in milliseconds. */
const HANDSHAKE_TIMEOUT = 10_000;
/**
 * How long the server may send nothing, in milliseconds: two heartbeats are missed by then, with 2
 * seconds of tolerance.
 */
const SILENCE_TIMEOUT = 2 * HEARTBEAT_INTERVAL + 2_000;

const browser: Network = {
  connect(url, listener) {
    const socket = new WebSocket(url);
    socket.onopen = () => listener.onOpen();
    socket.onmessage = ({ data }) => listener.onMessage(data);
    socket.onclose = () => listener.onClose();
    return socket;
  },
  onOffline(listener) {
    window.addEventListener("offline", listener);
    return () => window.removeEventListener("offline", listener);
  },
};

/**
 * Follows an order over a WebSocket until the returned function is called. The connection counts as
 * lost when it closes, when its handshake times out, when two heartbeats are missed, and when the
 * browser goes offline. A reconnect follows after 5 seconds.
 *
 * @returns a function that stops following
 */
export function followOrder({ host, events, network = browser, ...order }: Options): () => void {
  const url = addressOf(host, order);
  let connection: { close(): void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * A server of an earlier version sends no heartbeats, so the silence timeout starts with the
   * first heartbeat.
   */
  let sendsHeartbeats = false;

  /** There is one timer: for the handshake, the heartbeats or the reconnect. */
  function startTimer(milliseconds: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  }

  function connect(): void {
    startTimer(HANDSHAKE_TIMEOUT, disconnect);
    // A lost connection may still have events after it was closed. They are ignored.
    const whileCurrent = (act: () => void) => {
      if (connection === opened) act();
    };
    const opened = network.connect(url, {
      onOpen: () => whileCurrent(onOpen),
      onMessage: (data) => whileCurrent(() => onMessage(data)),
      onClose: () => whileCurrent(disconnect),
    });
    connection = opened;
  }

  function onOpen(): void {
    clearTimeout(timer);
    sendsHeartbeats = false;
    events.onOpen();
  }

  function onMessage(data: unknown): void {
    const message = parse(data);
    sendsHeartbeats ||= message?.type === "heartbeat";
    if (sendsHeartbeats) startTimer(SILENCE_TIMEOUT, disconnect);
    if (message !== undefined && message.type !== "heartbeat") events.onMessage(message);
  }

  function disconnect(): void {
    if (connection === undefined) return;
    close();
    events.onDown();
    startTimer(RECONNECT_DELAY, connect);
  }

  function close(): void {
    const closing = connection;
    connection = undefined;
    closing?.close();
  }

  const unsubscribe = network.onOffline(disconnect);
  connect();
  return () => {
    unsubscribe();
    clearTimeout(timer);
    close();
  };
}

function addressOf(host: string, { orderId, contractId, key }: OrderLink): URL {
  const url = new URL(shopPaths.orderStream, host.replace(/^http/, "ws"));
  url.searchParams.set(streamParameters.orderId, orderId);
  if (contractId !== undefined) url.searchParams.set(streamParameters.contractId, contractId);
  if (key !== undefined) url.searchParams.set(streamParameters.key, key);
  url.searchParams.set(streamParameters.heartbeat, heartbeatWanted);
  return url;
}

function parse(data: unknown): StreamMessage | undefined {
  try {
    return streamMessageSchema.parse(JSON.parse(String(data)));
  } catch (error) {
    console.error("A message of the order stream could not be read", error);
    return undefined;
  }
}
