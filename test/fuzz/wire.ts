import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";

/** One HTTP request, sent without normalisation. */
export interface Input {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Its answer. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const TIMEOUT = 20_000;

/** Sends an HTTP request whose path is not normalised by a URL parser. */
export function send(url: string, { method, path, headers, body }: Input): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, headers, agent, timeout: TIMEOUT },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            body: Buffer.concat(parts).toString(),
          }),
        );
        response.on("error", reject);
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", reject);
    request.end(body);
  });
}

/**
 * Sends raw bytes. Returns the received bytes, until the server closes the connection or is silent
 * for a moment.
 */
export function sendBytes(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const SILENCE = 60;
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(SILENCE, () => socket.destroy());
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}
