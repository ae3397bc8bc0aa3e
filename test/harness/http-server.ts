import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";

/** An HTTP server of a test, at a free port of this machine. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHttpServer(answer: RequestListener): Promise<HttpServer> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return { url: `http://127.0.0.1:${address.port}`, close, [Symbol.asyncDispose]: close };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
