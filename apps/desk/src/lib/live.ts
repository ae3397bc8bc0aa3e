import {
  DESK_HEARTBEAT,
  type DeskMessage,
  deskMessageSchema,
  paths,
  SESSION_ENDED,
} from "@keepsats/protocol";

/** The callbacks of {@link followChanges}. */
export interface LiveEvents {
  /** Changes are told from now on: whatever is shown has to be read anew once. */
  onReady(): void;
  onChanged(changes: Extract<DeskMessage, { type: "changed" }>["data"]): void;
  /** The connection is lost. It is opened again after a delay. */
  onDown(): void;
  /** The session has ended. Nothing follows. */
  onSessionEnded(): void;
}

interface ConnectionListener {
  onMessage(data: unknown): void;
  onClose(code: number): void;
}

/** The browser functions that {@link followChanges} needs. */
export interface Network {
  connect(url: URL, listener: ConnectionListener): { close(): void };
  /** A number from 0 to 1. */
  random(): number;
  /**
   * Reports when the browser goes offline or online, because a socket stays open for a while
   * without a network.
   *
   * @returns a function that unsubscribes
   */
  onConnectivity(report: (isOnline: boolean) => void): () => void;
}

interface Options {
  /** The desk's own origin. */
  readonly host: string;
  readonly events: LiveEvents;
  readonly network?: Network;
}

/**
 * The delays before the attempts to connect again, without jitter; the last one is repeated. In
 * milliseconds.
 */
const RECONNECT_DELAYS = [500, 1_000, 2_000, 5_000, 10_000, 20_000];
/** How long the server may take until its `ready`, in milliseconds. */
const READY_TIMEOUT = 10_000;
/** How long the server may send nothing, in milliseconds: two heartbeats are missed by then. */
const SILENCE_TIMEOUT = 2 * DESK_HEARTBEAT + 2_000;

const browser: Network = {
  connect(url, listener) {
    const socket = new WebSocket(url);
    socket.onmessage = ({ data }) => listener.onMessage(data);
    socket.onclose = ({ code }) => listener.onClose(code);
    return socket;
  },
  random: () => Math.random(),
  onConnectivity(report) {
    const [online, offline] = [() => report(true), () => report(false)];
    window.addEventListener("online", online);
    window.addEventListener("offline", offline);
    return () => {
      window.removeEventListener("online", online);
      window.removeEventListener("offline", offline);
    };
  },
};

/**
 * Follows the changes of the shop over a WebSocket until the returned function is called. A
 * connection counts as lost when it closes, when its `ready` does not come, and when two heartbeats
 * are missed.
 *
 * @returns a function that stops following
 */
export function followChanges({ host, events, network = browser }: Options): () => void {
  const url = new URL(paths.desk.live, host.replace(/^http/, "ws"));
  let connection: { close(): void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  /** There is one timer: for `ready`, the heartbeats or the next attempt. */
  function startTimer(milliseconds: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  }

  function connect(): void {
    startTimer(READY_TIMEOUT, disconnect);
    const opened = network.connect(url, {
      // A lost connection may still have events after it was closed. They are ignored.
      onMessage: (data) => {
        if (connection === opened) onMessage(data);
      },
      onClose: (code) => {
        if (connection === opened) onClose(code);
      },
    });
    connection = opened;
  }

  function onMessage(data: unknown): void {
    const message = parse(data);
    startTimer(SILENCE_TIMEOUT, disconnect);
    switch (message?.type) {
      case "ready":
        failures = 0;
        return events.onReady();
      case "changed":
        return events.onChanged(message.data);
      case "heartbeat":
      case undefined:
    }
  }

  function onClose(code: number): void {
    if (code !== SESSION_ENDED) return disconnect();
    clearTimeout(timer);
    stopReports();
    connection = undefined;
    events.onSessionEnded();
  }

  function disconnect(): void {
    const delay = RECONNECT_DELAYS[Math.min(failures, RECONNECT_DELAYS.length - 1)] ?? 0;
    failures += 1;
    close();
    events.onDown();
    startTimer(delay * (0.5 + network.random()), connect);
  }

  function close(): void {
    const closing = connection;
    connection = undefined;
    closing?.close();
  }

  const stopReports = network.onConnectivity((isOnline) => {
    if (!isOnline && connection !== undefined) disconnect();
    if (!isOnline || connection !== undefined) return;
    failures = 0;
    connect();
  });
  connect();
  return () => {
    stopReports();
    clearTimeout(timer);
    close();
  };
}

function parse(data: unknown): DeskMessage | undefined {
  try {
    return deskMessageSchema.parse(JSON.parse(String(data)));
  } catch (error) {
    console.error("A live message could not be read", error);
    return undefined;
  }
}
