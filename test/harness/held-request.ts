import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";

interface Held {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request whose headers the server has, and whose body has not been sent. */
export interface HeldRequest {
  /** Sends the body. @returns the status and text of the answer */
  finish(): Promise<{ status: number | undefined; text: string }>;
}

/** Begins a request with JSON, and resolves when the server wants the body. */
export async function holdRequest(
  url: string,
  { method, headers, body }: Held,
): Promise<HeldRequest> {
  const held = request(url, {
    method,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      expect: "100-continue",
    },
  });
  held.flushHeaders();
  await once(held, "continue");
  return {
    async finish() {
      const answered = once(held, "response");
      held.end(body);
      const [response] = await answered;
      return { status: response.statusCode, text: await text(response) };
    },
  };
}
