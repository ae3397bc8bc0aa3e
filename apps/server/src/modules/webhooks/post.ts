import type { LookupAddress } from "node:dns";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import {
  createResolveByDns,
  type Resolve,
  resolveAsSystem,
  resolvePublic,
} from "./ssrf-protection.ts";

export interface PostAnswer {
  readonly status: number;
  /** The first bytes of the body, as text. */
  readonly body: string;
  readonly retryAfter: string | undefined;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a POST request. Does not follow redirects, and closes the connection after the first bytes
 * of the body. Rejects without an answer, or if the address is not allowed.
 */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

/** The maximum number of bytes read of a body. */
const MAX_BODY = 1_024;
/** The timeout for the body after the headers, in milliseconds. */
const BODY_TIMEOUT = 2_000;

interface Options {
  /** Whether `http:` URLs and private addresses are allowed. */
  readonly isPrivateAllowed: boolean;
  readonly resolve?: Resolve;
}

export function createPost({
  isPrivateAllowed,
  resolve = isPrivateAllowed ? resolveAsSystem : createResolveByDns(),
}: Options): Post {
  return async ({ url: text, headers, body, signal }) => {
    const url = new URL(text);
    const addresses = await abortable(resolvePublic(url, isPrivateAllowed, resolve), signal);
    // On a new connection, to one of the resolved addresses.
    const answer = await send(url, body, {
      method: "POST",
      agent: false,
      lookup: fixedLookup(addresses),
      signal,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    });
    return {
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers["retry-after"],
      body: await firstBytesOf(answer),
    };
  };
}

/** Rejects when the signal is aborted, and ignores the result of the work then. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Sends a request. Resolves when the headers of the answer have arrived. */
function send(url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
    request.on("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

/** A lookup that resolves every host to these addresses. */
function fixedLookup(addresses: LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [{ address, family } = { address: "", family: 0 }] = addresses;
    if (all === true) callback(null, addresses);
    else callback(null, address, family);
  };
}

/** Reads up to {@link MAX_BODY} bytes until the timeout, and closes the connection. */
async function firstBytesOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => answer.destroy(), BODY_TIMEOUT);
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BODY) break;
    }
  } catch {
    // The status was received; the body is for display only.
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY).toString("utf8");
}
