/**
 * Sends a statement with its parameters; statements arrive in the order in which they are sent.
 * Kysely sends one after the other.
 */
type Send<Result> = (text: string, values: unknown[]) => Promise<Result>;

/**
 * Sends `BEGIN` together with the statement behind it, which saves a round trip in each
 * transaction. Only what reads goes with it: if `BEGIN` failed, what another statement writes would
 * be stored outside of a transaction.
 *
 * Where `BEGIN` is refused, every statement behind it is refused with the same error until another
 * `BEGIN` is sent. Kysely then closes the connection, because its `rollback` is refused too.
 *
 * @param send sends without waiting for the answers to earlier statements
 * @param begun the answer to `BEGIN`, which is given at once
 */
export function beginWithNext<Result>(send: Send<Result>, begun: Result): Send<Result> {
  /** The answer to `BEGIN`, until it is known that it has succeeded. */
  let beginning: Promise<unknown> | undefined;

  function begin(text: string, values: unknown[]): void {
    const sent = send(text, values);
    beginning = sent;
    const succeed = () => {
      if (beginning === sent) beginning = undefined;
    };
    sent.then(succeed, () => {});
  }

  return async (text, values) => {
    if (text === "begin") {
      begin(text, values);
      return begun;
    }
    if (beginning === undefined) return send(text, values);
    if (text.startsWith("select")) {
      const [, result] = await Promise.all([beginning, send(text, values)]);
      return result;
    }
    await beginning;
    return send(text, values);
  };
}
