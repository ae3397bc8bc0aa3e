import type { LookupAddress } from "node:dns";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { checkedAddresses } from "./checked-addresses.ts";
import { createResolveByDns, type Resolve, resolveAsSystem } from "./resolve.ts";

/** What a receiver answered. */
export interface PostAnswer {
  readonly status: number;
  /** The beginning of the body, as text. */
  readonly body: string;
  /** The header `Retry-After`, if it has one. */
  readonly retryAfter: string | undefined;
}

/** What is sent to a receiver. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a POST request. Redirects are not followed. Of the answer only the beginning is read, and
 * then the connection is closed. It rejects if no answer comes, or if the address is not allowed.
 */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

/** The most bytes that are read of a body. */
const BODY_READ = 1_024;
/** How long the body is waited for after the headers, in milliseconds. */
const BODY_WAIT = 2_000;

interface Options {
  /** Whether `http:` and addresses that are not public are allowed. */
  readonly isPrivateAllowed: boolean;
  readonly resolve?: Resolve;
}

/**
 * Creates {@link Post}. A host is resolved once, and the connection is made to an address that was
 * checked, so a name that resolves differently the next time does not lead into the own network.
 */
export function createPost({
  isPrivateAllowed,
  resolve = isPrivateAllowed ? resolveAsSystem : createResolveByDns(),
}: Options): Post {
  return async ({ url: text, headers, body, signal }) => {
    const url = new URL(text);
    const addresses = await abortable(checkedAddresses(url, { isPrivateAllowed, resolve }), signal);
    const answer = await send(url, body, { headers, signal, addresses });
    return {
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers["retry-after"],
      body: await beginningOf(answer),
    };
  };
}

/** Rejects when the signal is aborted; what the work resulted in is then dropped. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

interface Sending extends Pick<PostRequest, "headers" | "signal"> {
  /** The connection is made to one of these. */
  readonly addresses: LookupAddress[];
}

/**
 * Sends the request on a connection of its own. @returns the answer, of which only the headers were
 * read
 */
function send(
  url: URL,
  body: string,
  { addresses, headers, signal }: Sending,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method: "POST",
    agent: false,
    lookup: fixedLookup(addresses),
    signal,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest =
      url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
    request.on("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

/** A lookup that answers with these addresses, whatever host it is asked for. */
function fixedLookup(addresses: LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [{ address, family } = { address: "", family: 0 }] = addresses;
    if (all === true) callback(null, addresses);
    else callback(null, address, family);
  };
}

/**
 * Reads the first {@link BODY_READ} bytes of a body, as far as they come in time, and closes the
 * connection.
 */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => answer.destroy(), BODY_WAIT);
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= BODY_READ) break;
    }
  } catch {
    // The status was received; what the body would have said is for display only.
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  return Buffer.concat(chunks).subarray(0, BODY_READ).toString("utf8");
}
