import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type HttpServer, startHttpServer } from "./http-server.ts";

/** A message that a receiver has got, whatever it answered. */
export interface Received {
  readonly id: string;
  /** In epoch seconds. */
  readonly timestamp: number;
  readonly signature: string;
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver of webhooks on this machine. */
export interface Receiver extends HttpServer {
  readonly received: Received[];
  /** The types of the messages about one order, in the order in which they were received. */
  typesOf(orderId: string): string[];
}

/** Answers a message; by default with 204. `attempt` counts the messages from 1. */
export type Answer = (response: ServerResponse, message: Received, attempt: number) => void;

/** Starts a receiver. */
export async function startReceiver(
  answer: Answer = (response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = await startHttpServer(async (request, response) => {
    response.on("error", () => {});
    const message = messageOf(request.headers, await bodyOf(request));
    received.push(message);
    answer(response, message, received.length);
  });
  return {
    ...server,
    url: `${server.url}/hooks`,
    received,
    typesOf: (orderId) =>
      received.filter(({ data }) => data.order_id === orderId).map(({ type }) => type),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}

/** A message as a receiver reads it. Header names are in lower case. */
export function messageOf(headers: IncomingMessage["headers"], raw: string): Received {
  const { type, data } = Object(JSON.parse(raw));
  return {
    id: String(headers["webhook-id"]),
    timestamp: Number(headers["webhook-timestamp"]),
    signature: String(headers["webhook-signature"]),
    headers,
    raw,
    type: String(type),
    data: Object(data),
  };
}

/**
 * Verifies a message as the Standard Webhooks specification (version 1.0.0, "Verifying signatures")
 * says: the signature is the base64 HMAC-SHA-256 of `id.timestamp.payload`, one of those in the
 * header, and the timestamp is at most five minutes off.
 */
export function isSignedWith(secret: string, { id, timestamp, signature, raw }: Received): boolean {
  if (Math.abs(Date.now() / 1_000 - timestamp) > 5 * 60) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${raw}`).digest();
  return signature.split(" ").some((versioned) => {
    const [version, value = ""] = versioned.split(",");
    const given = Buffer.from(value, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
