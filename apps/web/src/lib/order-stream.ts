import { paths, type StreamMessage, streamMessageSchema, streamParameters } from "@keepsats/protocol";

/** What happens on the live link of an order. */
export interface OrderStreamEvents {
  onOpen(): void;
  onMessage(message: StreamMessage): void;
  /** The link is down; it is opened again after a while. */
  onDown(): void;
}

interface Options {
  readonly orderId: string;
  readonly contractId: string;
  /** The order's key, where it is known. */
  readonly key: string | undefined;
  readonly events: OrderStreamEvents;
  /** The origin of the shop's server, such as `https://shop.example`. */
  readonly host: string;
}

const RECONNECT_DELAY = 5_000;

/**
 * Follows an order until it is told to stop: whenever the link closes it is opened again 5 seconds later.
 *
 * @returns a function that ends it
 */
export function followOrder({ orderId, contractId, key, events, host }: Options): () => void {
  const url = new URL(paths.orderStream, host.replace(/^http/, "ws"));
  url.searchParams.set(streamParameters.orderId, orderId);
  url.searchParams.set(streamParameters.contractId, contractId);
  if (key !== undefined) url.searchParams.set(streamParameters.key, key);
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  function connect(): void {
    const opened = new WebSocket(url);
    socket = opened;
    opened.onopen = () => events.onOpen();
    opened.onmessage = ({ data }) => {
      const message = parse(data);
      if (message !== undefined) events.onMessage(message);
    };
    opened.onclose = () => {
      if (ended) return;
      events.onDown();
      timer = setTimeout(connect, RECONNECT_DELAY);
    };
  }

  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function parse(data: unknown): StreamMessage | undefined {
  try {
    return streamMessageSchema.parse(JSON.parse(String(data)));
  } catch (error) {
    console.error("A message of the order stream could not be read", error);
    return undefined;
  }
}
