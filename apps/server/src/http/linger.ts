import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/**
 * Delays the close of a connection whose answer is sent until its client has sent the whole body, which is discarded. A close before that
 * resets the connection, and a client that still writes loses the answer. The request's timeout is the bound.
 */
export function lingerAtClose(request: IncomingMessage): void {
  const { socket, headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const close = () => Socket.prototype.destroySoon.call(socket);
  // Node closes a connection after its last answer with this method, and offers no other place to delay it.
  socket.destroySoon = () => {
    if (request.complete) return close();
    socket.end();
    request.once("end", close).resume();
  };
}
