import { afterAll, beforeAll } from "vitest";

/**
 * Starts something before the tests of the describe block that calls this, and ends it after them.
 * Read the result only inside tests and hooks: before that nothing has started.
 *
 * @example
 * const shop = useResource(() => startShop({ mail: true }));
 */
export function useResource<T extends AsyncDisposable>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.[Symbol.asyncDispose]());
  function open(): T {
    if (started === undefined) throw new Error("used outside tests and hooks");
    return started;
  }
  return new Proxy<T>(Object.create(null), {
    get: (_, key) => Reflect.get(open(), key),
    ownKeys: () => Reflect.ownKeys(open()),
    getOwnPropertyDescriptor: (_, key) => ({
      value: Reflect.get(open(), key),
      enumerable: true,
      configurable: true,
    }),
  });
}
