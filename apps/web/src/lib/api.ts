import { type Problem, readAnswer } from "@keepsats/protocol";
import type * as z from "zod/mini";

interface Refusal {
  readonly status: number;
  readonly problem: Problem | undefined;
}

/** A call failed. `status` and `problem` come from the server's answer; `undefined` when there was no answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number | undefined;
  readonly problem: Problem | undefined;

  constructor(message: string, refusal?: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.status = refusal?.status;
    this.problem = refusal?.problem;
  }
}

/** Whether an error came from {@link call}. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/** The statuses that are retried: 502 and 504 of a proxy whose server restarts, and 503 of the server itself. */
const UNAVAILABLE = [502, 503, 504];
const MAX_RETRIES = 2;
/** The delay before a retry without jitter, in milliseconds. */
const RETRY_DELAY = 1_000;

/** Multiplies a delay by a random factor from 0.5 to 1.5, so that pages that fail at the same moment retry at different ones. */
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
 * @throws {ApiError} when the server cannot be reached, answers with an error, or its answer does not match the schema
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
  const answered = await readAnswer(response, answer);
  switch (answered.kind) {
    case "ok":
      return answered.value;
    case "refused":
      throw new ApiError(`${method} ${path} was answered ${answered.status}`, answered);
    case "unexpected":
      throw new ApiError(`${method} ${path} was answered in an unexpected format`);
  }
}
