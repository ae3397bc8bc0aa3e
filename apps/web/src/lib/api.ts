import { ApiError, answerOf, isApiError } from "@keepsats/protocol";
import type * as z from "zod/mini";

export { ApiError, isApiError };

/**
 * The statuses that are retried: 502 and 504 of a proxy whose server restarts, and 503 of the
 * server itself.
 */
const UNAVAILABLE = [502, 503, 504];
const MAX_RETRIES = 2;
/** The delay before a retry without jitter, in milliseconds. */
const RETRY_DELAY = 1_000;

/**
 * Multiplies a delay by a random factor from 0.5 to 1.5, so that pages that fail at the same moment
 * retry at different ones.
 */
export function jittered(delay: number): number {
  return delay * (0.5 + Math.random());
}

/** The retry options of queries and mutations: retries only while the server is unavailable. */
export const retryWhileUnavailable = {
  retry: (failures: number, error: unknown) =>
    failures < MAX_RETRIES && isApiError(error) && UNAVAILABLE.includes(error.status ?? 0),
  retryDelay: () => jittered(RETRY_DELAY),
};

interface Call<Schema extends z.core.$ZodType> {
  readonly path: string;
  /** The schema of a successful answer's JSON body. */
  readonly answer: Schema;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** The same call, if the page has sent it already. */
  readonly sent?: Promise<Response> | undefined;
}

/** The timeout of a call, in milliseconds. */
const TIMEOUT = 20_000;

/**
 * Calls the shop's API and validates the answer.
 *
 * @throws {ApiError} when the server cannot be reached, answers with an error, or its answer does
 *   not match the schema
 */
export async function call<Schema extends z.ZodMiniType>({
  path,
  answer,
  method = "GET",
  body,
  headers,
  signal,
  sent,
}: Call<Schema>): Promise<z.output<Schema>> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  let response: Response;
  try {
    response = await (sent ??
      fetch(path, {
        method,
        headers: { "content-type": "application/json", ...headers },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        ...(body === undefined ? {} : { body }),
      }));
  } catch (cause) {
    throw new ApiError(`${method} ${path} got no answer`, undefined, { cause });
  }
  return answerOf(response, answer, `${method} ${path}`);
}
