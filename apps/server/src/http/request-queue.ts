import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * The most pipelined requests that may wait on one connection. No browser or proxy sends a request
 * before it has the answer to its last one.
 */
export const MAX_WAITING = 10;

/** A response that emits an event when all earlier responses of its connection are sent. */
export class QueuedResponse extends ServerResponse {
  onTurn: (() => void) | undefined;

  override assignSocket(socket: Socket): void {
    super.assignSocket(socket);
    this.onTurn?.();
  }
}

/**
 * Handles pipelined requests of a connection one after another, because an answer behind an unread
 * one would stay in memory. A connection with too many waiting requests is closed.
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
    // A response without a socket waits for an earlier one.
    if (response.socket === null) enqueue(request, response);
    else handler(request, response);
  };
}
