import { isApiError } from "@keepsats/client";
import { useState } from "react";

/** After other statuses, such as 401, an earlier attempt may be stored. */
const REFUSALS: readonly (number | undefined)[] = [409, 422];

/**
 * Sends a request with an idempotency key. Attempts share the key until one succeeds or is refused,
 * so that a request whose answer was lost has its effect once.
 *
 * @param onRefused called before the error is thrown
 */
export function useIdempotencyKey(onRefused: () => Promise<void> = async () => {}) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const renew = () => setKey(crypto.randomUUID());
  return async <Answer>(send: (key: string) => Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await send(key);
      renew();
      return answer;
    } catch (error) {
      if (!isApiError(error) || !REFUSALS.includes(error.status)) throw error;
      await onRefused();
      renew();
      // The earlier attempt, whose answer was lost, had other input.
      if (error.problem?.code === "idempotency_conflict")
        throw new Error("An earlier attempt was recorded. This one was not.", { cause: error });
      throw error;
    }
  };
}
