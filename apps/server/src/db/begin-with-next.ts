/** Sends a statement with its parameters; statements arrive in the order in which they are sent. */
type Send<Result> = (text: string, values: unknown[]) => Promise<Result>;

/**
 * Sends `BEGIN` together with the statements behind it, which saves a round trip in each transaction. Only what reads goes with it: if
 * `BEGIN` failed, what another statement writes would be stored outside of a transaction.
 *
 * @param send sends without waiting for the answers to earlier statements
 * @param begun the answer to `BEGIN`, which is given at once; its failure is that of the statements behind it
 */
export function beginWithNext<Result>(send: Send<Result>, begun: Result): Send<Result> {
  /** Until it is answered; it stays if it is refused. */
  let beginning: Promise<unknown> | undefined;
  /** Whether a statement waits for it; those behind that wait too, to keep the order. */
  let isAwaited = false;

  function begin(text: string, values: unknown[]): void {
    const sent = send(text, values);
    beginning = sent;
    isAwaited = false;
    const answered = () => {
      if (beginning === sent) beginning = undefined;
    };
    sent.then(answered, () => {});
  }

  return async (text, values) => {
    if (text === "begin") {
      begin(text, values);
      return begun;
    }
    if (beginning === undefined) return send(text, values);
    isAwaited ||= !text.startsWith("select");
    if (isAwaited) {
      await beginning;
      return send(text, values);
    }
    const [, result] = await Promise.all([beginning, send(text, values)]);
    return result;
  };
}
