import { idempotencyHeader, type Problem, problemSchema } from "@keepsats/protocol";
import * as z from "zod/mini";

/**
 * A failed call. Without a `status` there was no answer, or one in an unexpected format, so the
 * outcome of the call is unknown. A refusal without a `problem` comes from a proxy.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number | undefined;
  readonly problem: Problem | undefined;

  constructor(
    message: string,
    refusal?: { readonly status: number; readonly problem: Problem | undefined },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = refusal?.status;
    this.problem = refusal?.problem;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/**
 * Decodes the JSON body of an answer, which is `null` for a 204.
 *
 * @param call the name of the call in the error, such as `GET /api/items`
 * @throws {ApiError} if the answer is an error, or does not match the schema
 */
export async function decodeAnswer<Schema extends z.ZodMiniType>(
  response: Response,
  schema: Schema,
  call: string,
): Promise<z.output<Schema>> {
  const json: unknown =
    response.status === 204 ? null : await response.json().catch(() => undefined);
  if (!response.ok) {
    const { status } = response;
    const { data: problem } = problemSchema.safeParse(json);
    throw new ApiError(`${call} was answered ${status}`, { status, problem });
  }
  const { success, data } = schema.safeParse(json);
  if (!success) throw new ApiError(`${call} was answered in an unexpected format`);
  return data;
}

/** The default timeout of a call, in milliseconds. */
const TIMEOUT = 20_000;

export interface Call {
  /** A path of the page's origin, or a full URL. */
  readonly path: string;
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Encode it with its codec first. Text, files and streams are sent unchanged, all else as JSON. */
  readonly body?: unknown;
  /** The media type of the body, if it is not JSON. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reuse it for each attempt of one change, so that the server makes the change once. */
  readonly idempotencyKey?: string | undefined;
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
    // Every call of the API has a JSON content type, except a `DELETE` without a body, which the
    // server would refuse.
    ...(method === "GET" || body !== undefined
      ? { "content-type": type ?? "application/json" }
      : {}),
    ...(idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey }),
    ...headers,
  };
}

function contentOf(body: unknown): RequestInit {
  if (typeof body === "string" || body instanceof Blob) return { body };
  // Node requires `duplex` for a stream.
  if (body instanceof ReadableStream) return Object.assign({ body }, { duplex: "half" });
  return { body: JSON.stringify(body) };
}

function nameOf({ method = "GET", path }: Call): string {
  return `${method} ${path}`;
}

/** 502 and 504 of a proxy whose server restarts, and 503 of the server. */
const UNAVAILABLE = [502, 503, 504];
const MAX_RETRIES = 2;
/** In milliseconds. */
const RETRY_DELAY = 1_000;

/**
 * Exponential backoff with jitter: the delay doubles with each failure, up to `max`, and is
 * multiplied by a random factor from 0.5 to 1.5, so that pages that fail at the same moment retry
 * at different times.
 */
export function jitteredBackoff(failures: number, first: number, max: number): number {
  return Math.min(max, first * 2 ** failures) * (0.5 + Math.random());
}

/** The options of queries and mutations that are retried only while the server is unavailable. */
export const retryWhileUnavailable = {
  retry: (failures: number, error: unknown) =>
    failures < MAX_RETRIES && isApiError(error) && UNAVAILABLE.includes(error.status ?? 0),
  retryDelay: () => jitteredBackoff(0, RETRY_DELAY, RETRY_DELAY),
};
