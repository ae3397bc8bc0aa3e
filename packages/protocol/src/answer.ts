import type * as z from "zod/mini";
import { type Problem, problemSchema } from "./problem.ts";

/**
 * What the shop's API answered to a call. `refused`: an error status, with its problem where the body is one; a proxy's
 * body is none. `unexpected`: a success whose body does not have the shape that the caller knows.
 */
export type ApiAnswer<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "refused"; readonly status: number; readonly problem: Problem | undefined }
  | { readonly kind: "unexpected" };

/** Reads the answer to a call of the API and checks its body. It never throws: a body that breaks off is not of the shape. */
export async function readAnswer<Schema extends z.ZodMiniType>(
  response: Response,
  schema: Schema,
): Promise<ApiAnswer<z.output<Schema>>> {
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    return { kind: "refused", status: response.status, problem: problemSchema.safeParse(json).data };
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { kind: "ok", value: parsed.data } : { kind: "unexpected" };
}
