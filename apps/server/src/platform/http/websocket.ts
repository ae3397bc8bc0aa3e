import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ProblemCode, problemType } from "@keepsats/protocol";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import type { ProblemDetails } from "../refusal.ts";
import { problem, retryAfter } from "./problems.ts";

/** The close code of a server that stops. */
export const GOING_AWAY = 1001;
/** The timeout for the client's close frame, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/** Closes a WebSocket, and terminates it if the client does not answer the close frame. */
export function closeSocket(socket: Pick<WebSocket, "close" | "terminate">, code: number): void {
  socket.close(code);
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT).unref();
}

/** A request for a WebSocket. `head`: the bytes that arrived after the head of the request. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Serves WebSockets on a server's own `upgrade` event.
 *
 * @param handle opens a WebSocket for the request, or refuses it
 */
export function serveWebSockets<Client extends typeof WebSocket = typeof WebSocket>(
  server: Server,
  options: ServerOptions<Client>,
  handle: (upgrade: Upgrade) => void,
) {
  const webSockets = new WebSocketServer<Client>({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    ...options,
  });
  let isClosing = false;

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", destroyOnError);
    handle({ request, socket, head });
  });

  return {
    /** Completes the handshake, or refuses it after `close`. */
    open(
      { request, socket, head }: Upgrade,
      onOpen: (webSocket: InstanceType<Client>) => void,
    ): void {
      if (isClosing) return refuseUpgrade(socket, "unavailable");
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        // From here on, `ws` handles errors.
        socket.off("error", destroyOnError);
        onOpen(webSocket);
      });
    },
    /** Opens no more WebSockets. The caller closes the open ones. */
    close(): void {
      isClosing = true;
    },
  };
}

function destroyOnError(this: Duplex): void {
  this.destroy();
}

/** The timeout for a client to read a refusal, in milliseconds. */
const SEND_TIMEOUT = 1_000;

export interface RefusalDetails extends ProblemDetails {
  /** In seconds. */
  readonly retryAfter?: number;
}

/** Destroys a socket when all written bytes are sent, at the latest after {@link SEND_TIMEOUT}. */
export function destroyWhenSent(socket: Duplex): void {
  const destroy = () => void socket.destroy();
  const timer = setTimeout(destroy, SEND_TIMEOUT).unref();
  socket.once("finish", destroy).once("close", () => clearTimeout(timer));
}

/**
 * Answers an upgrade request with a problem, and closes the connection. Node has no response object
 * for such a request, and `ws` answers in HTML without a timeout. If an earlier response is still
 * unsent, the connection is closed without an answer: the client would have to read that one first.
 */
export function refuseUpgrade(
  socket: Duplex,
  code: ProblemCode,
  details: RefusalDetails = {},
): void {
  if (socket.destroyed || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const answer = problem(code, details);
  const body = JSON.stringify(answer);
  const wait = details.retryAfter ?? (code === "unavailable" ? retryAfter() : undefined);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
    ...(wait === undefined ? [] : [`Retry-After: ${wait}`]),
  ];
  destroyWhenSent(socket);
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
