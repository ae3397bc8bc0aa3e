/** Returns epoch milliseconds. Injected, so that tests can set the time. */
export type Clock = () => number;

/**
 * The monotonic clock of this process, in milliseconds since its start: for durations, which
 * changes of the system time must not affect.
 */
export const elapsed: Clock = () => performance.now();

/**
 * Resolves with the result of `work`, or rejects after `timeout` milliseconds. Does not cancel the
 * work.
 *
 * @param timeout in milliseconds
 * @param who the subject of the error's message. Example: "the shared counter" gives "the shared
 *   counter did not answer within 500 ms"
 */
export async function withTimeout<T>(work: Promise<T>, timeout: number, who: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new Error(`${who} did not answer within ${timeout} ms`));
  const timer = setTimeout(fail, timeout).unref();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
