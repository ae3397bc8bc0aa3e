/** Reads the shop's account at the provider; `undefined` while it cannot be read. */
export type ReadAccount = () => Promise<string | undefined>;

/** The id of the shop's account at the loan provider, read once and kept. */
export type CurrentUser = () => Promise<string | undefined>;

/** Calls that come while the account is being read share its answer; a failure is not kept. */
export function createCurrentUser(readAccount: ReadAccount): CurrentUser {
  let known: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  return async () => {
    if (known !== undefined) return known;
    reading ??= readAccount().finally(() => {
      reading = undefined;
    });
    known = await reading;
    return known;
  };
}
