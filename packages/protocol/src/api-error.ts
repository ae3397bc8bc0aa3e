import type * as z from "zod/mini";
import { type ApiAnswer, readAnswer } from "./answer.ts";

type Refusal = Omit<Extract<ApiAnswer<unknown>, { readonly kind: "refused" }>, "kind">;

/**
 * A call of a web app failed. `status` and `problem` come from the server's answer; `undefined`
 * when there was no answer.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: Refusal["status"] | undefined;
  readonly problem: Refusal["problem"];

  constructor(message: string, refusal?: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.status = refusal?.status;
    this.problem = refusal?.problem;
  }
}

/** Whether an error is an {@link ApiError}. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/**
 * Decodes the answer to a call.
 *
 * @param call names the call in the error, such as `GET /api/items`
 * @throws {ApiError} if the answer is an error, or does not match the schema
 */
export async function answerOf<Schema extends z.ZodMiniType>(
  response: Response,
  schema: Schema,
  call: string,
): Promise<z.output<Schema>> {
  const answered = await readAnswer(response, schema);
  switch (answered.kind) {
    case "ok":
      return answered.value;
    case "refused":
      throw new ApiError(`${call} was answered ${answered.status}`, answered);
    case "unexpected":
      throw new ApiError(`${call} was answered in an unexpected format`);
  }
}
