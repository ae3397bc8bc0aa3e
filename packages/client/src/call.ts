import { idempotencyHeader } from "@keepsats/protocol";
import * as z from "zod/mini";
import { ApiError, decodeAnswer } from "./answer.ts";

/** The default timeout of a call, in milliseconds. */
const TIMEOUT = 20_000;

export interface Call {
  /** A path of the page's own origin, or a full URL. */
  readonly path: string;
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Encode it with its codec first. Text, files and streams are sent as they are, all else as JSON. */
  readonly body?: unknown;
  /** The media type of the body, if it is not JSON. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reuse it for each attempt of one change: the server makes the change once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly redirect?: RequestRedirect;
}

/**
 * Calls the API and decodes the answer.
 *
 * @throws {ApiError} if there is no answer, or it is an error or does not match the schema
 */
export async function call<Schema extends z.ZodMiniType>(
  call: Call & { readonly answer: Schema },
): Promise<z.output<Schema>> {
  return decodeAnswer(await request(call), call.answer, nameOf(call));
}

/**
 * Like {@link call}, for an answer without a body.
 *
 * @throws {ApiError} if there is no answer, or it is an error
 */
export async function send(call: Call): Promise<void> {
  const response = await request(call);
  if (!response.ok) await decodeAnswer(response, z.unknown(), nameOf(call));
}

/** @throws {ApiError} if there is no answer; its `cause` says why */
export async function request(call: Call): Promise<Response> {
  const { path, method = "GET", body, signal, timeout = TIMEOUT, redirect = "follow" } = call;
  const timedOut = AbortSignal.timeout(timeout);
  try {
    return await fetch(path, {
      method,
      redirect,
      headers: headersOf(call),
      signal: signal === undefined ? timedOut : AbortSignal.any([signal, timedOut]),
      ...(body === undefined ? {} : contentOf(body)),
    });
  } catch (cause) {
    throw new ApiError(`${nameOf(call)} got no answer`, undefined, { cause });
  }
}

function headersOf({ method = "GET", body, type, headers, idempotencyKey }: Call) {
  return {
    // The shop's API is called with a JSON content type throughout. A `DELETE` without a body would
    // be refused with one.
    ...(method === "GET" || body !== undefined
      ? { "content-type": type ?? "application/json" }
      : {}),
    ...(idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey }),
    ...headers,
  };
}

function contentOf(body: unknown): RequestInit {
  if (typeof body === "string" || body instanceof Blob) return { body };
  // Node sends a stream only with this.
  if (body instanceof ReadableStream) return Object.assign({ body }, { duplex: "half" });
  return { body: JSON.stringify(body) };
}

function nameOf({ method = "GET", path }: Call): string {
  return `${method} ${path}`;
}
