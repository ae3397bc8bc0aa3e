import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { type Follower, noop } from "./channel.ts";

/**
 * The largest frame that a follower may send, in bytes. The order stream expects no messages from
 * followers.
 */
export const MAX_FRAME = 1024;
/**
 * The most frames that a follower may send between two pings of the server; pings, pongs and
 * fragments count.
 */
export const MAX_FRAMES = 20;
/** The most bytes that a follower may send between two pings of the server. */
const MAX_BYTES = 4 * 1024;
/** The most unread bytes per follower; with more the follower is disconnected. */
const MAX_UNREAD = 256 * 1024;
/** An invalid first byte of a frame (RFC 6455, 5.2): the parser rejects it. */
const NO_FRAME = 0xff;
const POLICY = 1008;

/** The connection of a follower's WebSocket. */
interface FollowerConnection extends Duplex {
  follower?: FollowerSocket;
}

/**
 * The WebSocket of one follower. To save memory with thousands of followers, its state is kept in
 * its own fields, and it overrides `emit` instead of having listeners.
 */
export class FollowerSocket extends WebSocket implements Follower {
  holdsKey = false;
  rank = 0;
  alive = true;
  /** The frames and bytes that it has sent since the last ping of the server. */
  frames = 0;
  bytes = 0;
  /** The client's network, for the limit of open sockets. */
  address = "";
  unfollow = noop;
  /** Called when it has closed. */
  onGone: (socket: FollowerSocket) => void = noop;

  override emit(event: string | symbol, ...details: unknown[]): boolean {
    switch (event) {
      case "pong":
        this.alive = true;
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
    this.alive = false;
    this.frames = 0;
    this.bytes = 0;
    this.ping();
  }
}

/** Limits what a follower may send on its connection. */
export function limitBytes(socket: FollowerSocket, connection: Duplex): void {
  const limited: FollowerConnection = connection;
  limited.follower = socket;
  // Must run before the parser of `ws`, which handles all frames of a chunk before the socket
  // closes.
  limited.prependListener("data", onBytes);
}

function onBytes(this: FollowerConnection, chunk: Buffer): void {
  const { follower } = this;
  if (follower === undefined) return;
  const left = MAX_BYTES - follower.bytes;
  follower.bytes += chunk.length;
  // The parser gets this chunk in any case, so the bytes over the limit are overwritten with bytes
  // that it rejects.
  if (chunk.length > left) chunk.fill(NO_FRAME, Math.max(0, left));
}
