import type { Duplex } from "node:stream";

/** The close code of a server that stops. */
export const GOING_AWAY = 1001;
/** The timeout for the client's close frame, in milliseconds. */
export const CLOSE_TIMEOUT = 1_000;

interface ClosableSocket {
  close(code: number): void;
  terminate(): void;
}

/** Closes a WebSocket, and terminates it if the client does not answer the close frame. */
export function closeSocket(socket: ClosableSocket, code: number): void {
  socket.close(code);
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT).unref();
}

/** The error listener of a connection until `ws` handles its errors. */
export function destroyOnError(this: Duplex): void {
  this.destroy();
}
