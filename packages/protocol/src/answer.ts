import type * as z from "zod/mini";
import { type Problem, problemSchema } from "./problem.ts";

/**
 * The answer of the shop's API to a call. `refused`: an error status; `problem` is set if the body
 * is one, and not if it comes from a proxy. `unexpected`: a success status with a body of another
 * shape.
 */
export type ApiAnswer<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "refused"; readonly status: number; readonly problem: Problem | undefined }
  | { readonly kind: "unexpected" };

/**
 * Reads an answer and checks its body, which is `null` for a 204. It never throws: an incomplete
 * body is `unexpected`.
 */
export async function readAnswer<Schema extends z.ZodMiniType>(
  response: Response,
  schema: Schema,
): Promise<ApiAnswer<z.output<Schema>>> {
  const json: unknown =
    response.status === 204 ? null : await response.json().catch(() => undefined);
  if (!response.ok) {
    return {
      kind: "refused",
      status: response.status,
      problem: problemSchema.safeParse(json).data,
    };
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { kind: "ok", value: parsed.data } : { kind: "unexpected" };
}
