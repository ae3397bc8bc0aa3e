/** The paths of the screens. */
export type ScreenPath = "/" | "/checkout" | "/order";

const screenPaths: readonly string[] = ["/", "/checkout", "/order"] satisfies readonly ScreenPath[];

/**
 * The screen at a path: letter case and slashes at its end do not matter. The routes of
 * react-router do the same and more, such as parameters, ranks and nested routes, in 4 KB of every
 * page.
 *
 * @returns `undefined` for a path without a screen
 * @example screenAt("/Checkout/") // "/checkout"
 */
export function screenAt(pathname: string): ScreenPath | undefined {
  const path = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
  return isScreenPath(path) ? path : undefined;
}

function isScreenPath(path: string): path is ScreenPath {
  return screenPaths.includes(path);
}
