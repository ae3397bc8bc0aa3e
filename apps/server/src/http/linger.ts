import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/** The kernel takes this many bytes from a client, whether or not the server reads them. */
const TAKEN_UNREAD = 16 * 1024;

/**
 * Delays closing a connection after the response until the client has sent its whole body, which is
 * discarded. An earlier close would reset the connection, and a client that is still writing would
 * lose the response. The request timeout limits the delay. Small bodies are left out: they have
 * arrived, and what holds a request until its connection's next one costs garbage collection.
 */
export function lingerAtClose(request: IncomingMessage): void {
  const { socket, headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  if (length <= TAKEN_UNREAD && headers["transfer-encoding"] === undefined) return;
  const close = () => Socket.prototype.destroySoon.call(socket);
  // Node calls this method to close a connection after its last response, and offers no other hook.
  socket.destroySoon = () => {
    if (request.complete) return close();
    socket.end();
    request.once("end", close).resume();
  };
}
