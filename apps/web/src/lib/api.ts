import { type Problem, problemSchema } from "@keepsats/protocol";
import type * as z from "zod/mini";

/** The server refused or could not be reached. `problem` is its answer, where there was one. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly problem: Problem | undefined;

  constructor(message: string, problem?: Problem, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** Whether an error came from {@link call}. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

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
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new ApiError(
      `${method} ${path} was answered ${response.status}`,
      problemSchema.safeParse(json).data,
    );
  }
  const parsed = answer.safeParse(json);
  if (!parsed.success) throw new ApiError(`${method} ${path} was answered with something else`);
  return parsed.data;
}
