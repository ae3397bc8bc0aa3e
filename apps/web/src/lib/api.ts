import { type Problem, readAnswer } from "@keepsats/protocol";
import type * as z from "zod/mini";

interface Refusal {
  readonly status: number;
  readonly problem: Problem | undefined;
}

/** The server refused or could not be reached. `status` and `problem` are its answer, where there was one. */
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

/** What a proxy says for a server that is restarted (502, 504) and what the server says itself (503), problem or not. */
const UNAVAILABLE = [502, 503, 504];
/** How often a call is made again by itself while the shop cannot answer it, and about how long after, in milliseconds. */
const RETRIES = 2;
const PAUSE = 1_000;

/** A pause half as long to one and a half times as long, so that the pages that fail at once do not come again at once. */
export function jittered(pause: number): number {
  return pause * (0.5 + Math.random());
}

/** How queries and mutations are tried again: only where the same may go well in a moment. */
export const retryWhileUnavailable = {
  retry: (failures: number, error: unknown) =>
    failures < RETRIES && isApiError(error) && UNAVAILABLE.includes(error.status ?? 0),
  retryDelay: () => jittered(PAUSE),
};

interface Call<Schema extends z.core.$ZodType> {
  readonly path: string;
  readonly answer: Schema;
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const TIMEOUT = 20_000;

/**
 * Calls the shop's API and checks the answer.
 *
 * @throws {ApiError} when the server cannot be reached, refuses, or answers with something else than `answer`
 */
export async function call<Schema extends z.ZodMiniType>({
  path,
  answer,
  method = "GET",
  body,
  headers,
  signal,
}: Call<Schema>): Promise<z.output<Schema>> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    });
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
      throw new ApiError(`${method} ${path} was answered with something else`);
  }
}
