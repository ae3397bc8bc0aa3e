import type { FastifyRequest } from "fastify";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a URL may be a page of the storefront: not below `/api`, `/assets` or `/pictures`. */
export function isPage(url: string): boolean {
  return !/^\/+(?:api|assets|pictures)(?:[/?]|$)/.test(decodeUrl(url));
}

function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url).replaceAll("\\", "/");
  } catch {
    return url;
  }
}

/**
 * The path of a page as the storefront links to it: `/checkout` for `/Checkout//?a=b`. A regular
 * expression for the slashes would take quadratic time.
 */
export function pagePath(url: string): string {
  const [path = ""] = url.split("?");
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end).toLowerCase();
}

/**
 * The id in a URL of the shop page: of the item that it opens, such as `/?item=moka-pot`, or of the
 * category that it shows.
 */
export function idIn(url: string, parameter: "item" | "category"): string | undefined {
  const start = url.indexOf("?");
  return start < 0 ? undefined : new URLSearchParams(url.slice(start)).get(parameter) || undefined;
}

/**
 * The redirect for a page that was requested under another loopback name, such as `127.0.0.1` for
 * `localhost`. Pop-up and socket accept only the configured origin, so the page would not work.
 *
 * @returns `undefined` if no redirect is needed
 */
export function loopbackRedirect(request: FastifyRequest, origin: string): string | undefined {
  const configured = new URL(origin);
  const requested = URL.parse(`http://${request.headers.host}`)?.hostname;
  if (requested === undefined || requested === configured.hostname) return undefined;
  if (!loopback.has(requested) || !loopback.has(configured.hostname)) return undefined;
  return `${configured.origin}${request.url.replace(/^[/\\]+/, "/")}`;
}
