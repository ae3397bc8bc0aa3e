import { SECOND, YEAR } from "../scheduling/clock.ts";

/**
 * The hashes of the styles that the toast library adds at run time: its style sheet, and the empty
 * one that it starts from. A new version of the library needs new hashes; the browser tests report
 * the blocked style.
 */
const toastStyleHashes = [
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
];

const HSTS_SECONDS = YEAR / SECOND;

interface PolicySources {
  /** The hashes of a page's inline elements, such as `'sha256-…'`. */
  readonly styleHashes?: readonly string[];
  readonly scriptHashes?: readonly string[];
  /** Further sources of pictures, which may come from any https host. */
  readonly pictures?: readonly string[];
}

/** The `Content-Security-Policy` of a page. */
export function contentSecurityPolicy(
  publicUrl: string,
  { styleHashes = [], scriptHashes = [], pictures = [] }: PolicySources = {},
): string {
  const directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...scriptHashes],
    "style-src": ["'self'", ...toastStyleHashes, ...styleHashes],
    "img-src": ["'self'", "https:", "data:", ...pictures],
    "font-src": ["'self'"],
    "connect-src": ["'self'", publicUrl.replace(/^http/, "ws")],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
    ...(isSecure(publicUrl) ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(" "))
    .join(";");
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https://");
}

type Headers = Readonly<Record<string, string>>;

function commonHeaders(publicUrl: string): Headers {
  return {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    // Without `includeSubDomains`: other sites of the domain may not have TLS.
    ...(isSecure(publicUrl) ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {}),
  };
}

/**
 * The security headers of pages. A page with inline elements replaces the
 * `Content-Security-Policy`.
 */
export function pageHeaders(publicUrl: string): Headers {
  return {
    ...commonHeaders(publicUrl),
    "content-security-policy": contentSecurityPolicy(publicUrl),
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "x-dns-prefetch-control": "off",
    "x-frame-options": "DENY",
  };
}

/**
 * The security headers of data. They are few, because answering an order takes about as long as
 * writing the headers of a page.
 */
export function dataHeaders(publicUrl: string): Headers {
  return {
    ...commonHeaders(publicUrl),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
}
