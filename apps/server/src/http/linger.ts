import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/**
 * Delays closing a connection after the response until the client has sent its whole body, which is
 * discarded. An earlier close would reset the connection, and a client that is still writing would
 * lose the response. The request timeout limits the delay.
 */
export function lingerAtClose(request: IncomingMessage): void {
  const { socket, headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const close = () => Socket.prototype.destroySoon.call(socket);
  // Node calls this method to close a connection after its last response, and offers no other hook.
  socket.destroySoon = () => {
    if (request.complete) return close();
    socket.end();
    request.once("end", close).resume();
  };
}
