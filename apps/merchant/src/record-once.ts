import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import type { Call, Client } from "./client.ts";
import { CommandFailed, OutcomeUnknown } from "./exit.ts";
import { printable } from "./output.ts";

/**
 * Sends a request with an idempotency key. If the answer is lost, the error names the key: a
 * repetition with it records nothing twice.
 */
export async function recordOnce<Schema extends z.ZodMiniType>(
  client: Client,
  key: string = randomUUID(),
  call: Pick<Call<Schema>, "path" | "body" | "answer">,
): Promise<z.output<Schema>> {
  try {
    return await client.call({ ...call, method: "POST", idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const how = `It may be recorded. Repeat it with --key ${printable(key)}, which records it once.`;
    throw new CommandFailed(error.exitCode, `${error.message}\n${how}`);
  }
}
