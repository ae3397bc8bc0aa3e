import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { type Follower, nothing } from "./channel.ts";

/** The largest frame a follower may send, in bytes; it has nothing to say. */
export const MAX_FRAME = 1024;
/** How many frames a follower may send between two heartbeats, pings, pongs and parts of frames included. */
export const MAX_FRAMES = 20;
/** How many bytes a follower may send between two heartbeats. */
const MAX_BYTES = 4 * 1024;
/** How much may wait unread for a follower before it is dropped, in bytes. */
const MAX_UNREAD = 256 * 1024;
/** A first byte that no frame may have (RFC 6455, 5.2): whoever parses it stops there. */
const NO_FRAME = 0xff;
const POLICY = 1008;

/** The connection under a follower's socket. */
interface Line extends Duplex {
  follower?: FollowerSocket;
}

/**
 * A socket of one follower. All that is known of it stands in itself, and it has no listeners of its own, for there are
 * thousands of them.
 */
export class FollowerSocket extends WebSocket implements Follower {
  holdsKey = false;
  rank = 0;
  alive = true;
  /** What it has sent since the last heartbeat. */
  frames = 0;
  bytes = 0;
  /** Whose it is. */
  address = "";
  unfollow = nothing;
  /** Is told when it has closed. */
  onGone: (socket: FollowerSocket) => void = nothing;

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

  /** Closes it without waiting for its answer. */
  #drop(): void {
    if (this.readyState === WebSocket.OPEN) this.close(POLICY);
    this.terminate();
  }

  deliver(message: Buffer): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.bufferedAmount > MAX_UNREAD) this.terminate();
    else this.send(message, { binary: false });
  }

  /** Asks whether it is still there, and lets it send as much as before. */
  beat(): void {
    this.alive = false;
    this.frames = 0;
    this.bytes = 0;
    this.ping();
  }
}

/** Limits what a follower may send on its connection. */
export function limitBytes(socket: FollowerSocket, connection: Duplex): void {
  const line: Line = connection;
  line.follower = socket;
  // Before the parser of `ws`, which is done with all frames of a chunk before the socket is closed.
  line.prependListener("data", onBytes);
}

function onBytes(this: Line, chunk: Buffer): void {
  const { follower } = this;
  if (follower === undefined) return;
  const left = MAX_BYTES - follower.bytes;
  follower.bytes += chunk.length;
  // The parser gets this chunk in any case, so the bytes over the limit are overwritten with something that it must refuse.
  if (chunk.length > left) chunk.fill(NO_FRAME, Math.max(0, left));
}
