import {
  HEARTBEAT_INTERVAL,
  heartbeatWanted,
  paths,
  type StreamMessage,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";

/** What a follower is told of the order itself. */
export type OrderMessage = Exclude<StreamMessage, { type: "heartbeat" }>;

/** What happens on the live link of an order. */
export interface OrderStreamEvents {
  onOpen(): void;
  onMessage(message: OrderMessage): void;
  /** The link is down; it is opened again after a while. */
  onDown(): void;
}

/** What a link to the server reports. */
export interface LinkListener {
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

/** What following an order uses of a browser. */
export interface Network {
  connect(url: URL, listener: LinkListener): { close(): void };
  /** Hears when the browser loses its connection. @returns a function that ends it */
  onOffline(listener: () => void): () => void;
}

interface Options {
  readonly orderId: string;
  readonly contractId: string;
  /** The order's key, where it is known. */
  readonly key: string | undefined;
  readonly events: OrderStreamEvents;
  /** The origin of the shop's server, such as `https://shop.example`. */
  readonly host: string;
  readonly network?: Network;
}

/** From a link that is down to the next attempt, in milliseconds. */
const RECONNECT_DELAY = 5_000;
/** How long the server may take to open the link, in milliseconds. */
const HANDSHAKE_TIMEOUT = 10_000;
/** How long nothing may be heard, in milliseconds: two heartbeats are missed then, however late the second was sent. */
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
 * Follows an order until it is told to stop. The link is down when it closes, when it does not open in time, when nothing
 * is heard for two heartbeats, and when the browser goes offline. It is opened again 5 seconds later.
 *
 * @returns a function that ends it
 */
export function followOrder({ host, events, network = browser, ...order }: Options): () => void {
  const url = addressOf(host, order);
  let link: { close(): void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(milliseconds: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  }

  function connect(): void {
    wait(HANDSHAKE_TIMEOUT, disconnect);
    // A dead link may still report something after it was closed: only the present one is heard.
    const whileCurrent = (act: () => void) => {
      if (link === opened) act();
    };
    const opened = network.connect(url, {
      onOpen: () => whileCurrent(onOpen),
      onMessage: (data) => whileCurrent(() => onMessage(data)),
      onClose: () => whileCurrent(disconnect),
    });
    link = opened;
  }

  function onOpen(): void {
    wait(SILENCE_TIMEOUT, disconnect);
    events.onOpen();
  }

  function onMessage(data: unknown): void {
    wait(SILENCE_TIMEOUT, disconnect);
    const message = parse(data);
    if (message !== undefined && message.type !== "heartbeat") events.onMessage(message);
  }

  function disconnect(): void {
    if (link === undefined) return;
    hangUp();
    events.onDown();
    wait(RECONNECT_DELAY, connect);
  }

  function hangUp(): void {
    const closing = link;
    link = undefined;
    closing?.close();
  }

  const endOffline = network.onOffline(disconnect);
  connect();
  return () => {
    endOffline();
    clearTimeout(timer);
    hangUp();
  };
}

function addressOf(
  host: string,
  { orderId, contractId, key }: Pick<Options, "orderId" | "contractId" | "key">,
) {
  const url = new URL(paths.orderStream, host.replace(/^http/, "ws"));
  url.searchParams.set(streamParameters.orderId, orderId);
  url.searchParams.set(streamParameters.contractId, contractId);
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
