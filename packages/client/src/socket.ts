import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";
import type * as z from "zod/mini";

/** In milliseconds. */
const HANDSHAKE_TIMEOUT = 10_000;
/** Two missed heartbeats, with a tolerance of 2 seconds. */
const SILENCE_TIMEOUT = 2 * HEARTBEAT_INTERVAL + 2_000;

interface Options<Schema extends z.ZodMiniType> {
  readonly url: URL;
  readonly message: Schema;
  /** @param failures the number of attempts since the last message */
  readonly reconnectDelay: (failures: number) => number;
  readonly onOpen?: () => void;
  readonly onMessage: (message: z.output<Schema>) => void;
  /** Called when the connection is lost. A reconnect follows. */
  readonly onDown: () => void;
  /** @returns whether the server has closed the connection for good, so that no reconnect follows */
  readonly onClose?: (code: number) => boolean;
}

/**
 * Opens a WebSocket and reconnects until the returned function is called. The connection is lost
 * when it closes, when its handshake times out, when two heartbeats are missed, and when the browser
 * goes offline, because a socket then stays open for a while. When the browser is online again, it
 * reconnects at once.
 */
export function openSocket<Schema extends z.ZodMiniType>(options: Options<Schema>): () => void {
  const { url, message, reconnectDelay, onOpen, onMessage, onDown, onClose } = options;
  let socket: WebSocket | undefined;
  /** The timer of the handshake, the heartbeats or the reconnect. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function startTimer(delay: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, delay);
  }

  function connect(): void {
    const opened = new WebSocket(url);
    socket = opened;
    startTimer(HANDSHAKE_TIMEOUT, disconnect);
    opened.onopen = () => {
      startTimer(SILENCE_TIMEOUT, disconnect);
      onOpen?.();
    };
    opened.onmessage = ({ data }) => {
      failures = 0;
      startTimer(SILENCE_TIMEOUT, disconnect);
      const decoded = decode(data, message);
      if (decoded !== undefined) onMessage(decoded);
    };
    opened.onclose = ({ code }) => (onClose?.(code) === true ? stop() : disconnect());
  }

  function disconnect(): void {
    close();
    startTimer(reconnectDelay(failures), connect);
    failures += 1;
    onDown();
  }

  /** Removes the listeners first, because a closed socket may still have events. */
  function close(): void {
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    socket = undefined;
  }

  function goOffline(): void {
    if (socket !== undefined) disconnect();
  }

  function goOnline(): void {
    if (socket !== undefined) return;
    failures = 0;
    connect();
  }

  function stop(): void {
    window.removeEventListener("offline", goOffline);
    window.removeEventListener("online", goOnline);
    clearTimeout(timer);
    close();
  }

  window.addEventListener("offline", goOffline);
  window.addEventListener("online", goOnline);
  connect();
  return stop;
}

function decode<Schema extends z.ZodMiniType>(
  data: unknown,
  schema: Schema,
): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(String(data)));
  } catch (error) {
    console.error("A message of the server could not be read", error);
    return undefined;
  }
}
