import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * How many requests of a connection may wait for the answers to earlier ones. No browser or proxy sends a request
 * before the answer to its last one.
 */
export const MAX_WAITING = 10;

/** A response that tells when its turn has come: when all earlier ones of its connection are sent. */
export class QueuedResponse extends ServerResponse {
  onTurn: (() => void) | undefined;

  override assignSocket(socket: Socket): void {
    super.assignSocket(socket);
    this.onTurn?.();
  }
}

/**
 * Handles the requests of a connection one after another. An answer that waits for an earlier one would be kept in
 * memory, for as long as the client does not read. A connection with too many requests waiting is closed.
 */
export function queueRequests(
  handler: RequestListener,
): (request: IncomingMessage, response: QueuedResponse) => void {
  const waiting = new WeakMap<Socket, number>();

  function enqueue(request: IncomingMessage, response: QueuedResponse): void {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.onTurn = () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      process.nextTick(handler, request, response);
    };
  }

  return (request, response) => {
    // A response that has to wait for another has no socket yet.
    if (response.socket === null) enqueue(request, response);
    else handler(request, response);
  };
}
