import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { noop, type Subscriber } from "./room.ts";

/** The largest frame that a subscriber may send, in bytes. It needs to send no messages. */
export const MAX_FRAME = 1024;
/** The most frames between two pings of the server, including pings, pongs and fragments. */
export const MAX_FRAMES = 20;
/** The most bytes between two pings of the server. */
const MAX_BYTES = 4 * 1024;
/** A subscriber with more unread bytes is disconnected. */
const MAX_UNREAD = 256 * 1024;
/** An invalid first byte of a frame (RFC 6455, 5.2): the parser rejects it. */
const NO_FRAME = 0xff;
const POLICY = 1008;

interface SubscriberConnection extends Duplex {
  subscriber?: SubscriberSocket;
}

/**
 * To save memory with thousands of subscribers, the state of a socket is in its own fields, and it
 * overrides `emit` instead of having listeners.
 */
export class SubscriberSocket extends WebSocket implements Subscriber {
  holdsKey = false;
  isAlive = true;
  wantsHeartbeats = false;
  /** The frames and bytes received since the last ping of the server. */
  frames = 0;
  bytes = 0;
  /** The client's network, for the limit of open sockets. */
  network = "";
  unsubscribe = noop;
  onGone: (socket: SubscriberSocket) => void = noop;

  override emit(event: string | symbol, ...details: unknown[]): boolean {
    switch (event) {
      case "pong":
        this.isAlive = true;
        this.#countFrame();
        return true;
      case "ping":
      case "message":
        this.#countFrame();
        return true;
      case "error":
        this.terminate();
        return true;
      case "close":
        this.onGone(this);
        return true;
      default:
        return super.emit(event, ...details);
    }
  }

  #countFrame(): void {
    this.frames += 1;
    if (this.frames > MAX_FRAMES) this.#drop();
  }

  /** Closes the connection without waiting for the client's close frame. */
  #drop(): void {
    if (this.readyState === WebSocket.OPEN) this.close(POLICY);
    this.terminate();
  }

  deliver(message: Buffer): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.bufferedAmount > MAX_UNREAD) this.terminate();
    else this.send(message, { binary: false });
  }

  /** Sends a ping, and resets the limits of frames and bytes. */
  beat(): void {
    this.isAlive = false;
    this.frames = 0;
    this.bytes = 0;
    this.ping();
  }
}

export function limitBytes(socket: SubscriberSocket, connection: Duplex): void {
  const limited: SubscriberConnection = connection;
  limited.subscriber = socket;
  // Runs before the parser of `ws`, which handles all frames of a chunk before the socket closes.
  limited.prependListener("data", onBytes);
}

function onBytes(this: SubscriberConnection, chunk: Buffer): void {
  const { subscriber } = this;
  if (subscriber === undefined) return;
  const left = MAX_BYTES - subscriber.bytes;
  subscriber.bytes += chunk.length;
  // The parser gets this chunk in any case, so the bytes over the limit are replaced by bytes that
  // it rejects.
  if (chunk.length > left) chunk.fill(NO_FRAME, Math.max(0, left));
}
