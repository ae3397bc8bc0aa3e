/** The parts of the browser's window that {@link takeLink} needs. */
interface Browser {
  readonly location: { readonly pathname: string; readonly hash: string };
  readonly history: { replaceState(state: null, title: string, url: string): void };
}

/**
 * Takes the secret of a sign-in link out of the address `/sign-in#secret`.
 *
 * @returns the secret; `undefined` if the address has none
 */
export function takeLink({ location, history }: Browser): string | undefined {
  const secret = location.hash.slice(1);
  if (location.pathname !== "/sign-in" || secret === "") return undefined;
  history.replaceState(null, "", location.pathname);
  return secret;
}
