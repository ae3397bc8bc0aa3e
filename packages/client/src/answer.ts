import { type Problem, problemSchema } from "@keepsats/protocol";
import type * as z from "zod/mini";

interface Refusal {
  readonly status: number;
  /** `undefined` if the answer comes from a proxy. */
  readonly problem: Problem | undefined;
}

/**
 * A call failed. `status` and `problem` come from an answer with an error status; without a status
 * there was no answer, or one in an unexpected format, so the outcome of the call is unknown.
 */
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

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/**
 * Decodes the JSON body of an answer, which is `null` for a 204.
 *
 * @param call names the call in the error, such as `GET /api/items`
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
