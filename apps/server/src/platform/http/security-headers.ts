import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet, { type HelmetOptions } from "helmet";
import type { Config } from "../../config/config.ts";
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

/** The hashes of a page's inline elements, such as `'sha256-…'`. */
interface InlineHashes {
  readonly styleHashes: readonly string[];
  readonly scriptHashes: readonly string[];
}

/** The `Content-Security-Policy` of a page that has inline elements. */
export function contentSecurityPolicy(publicUrl: string, inline: InlineHashes): string {
  return Object.entries(directives(publicUrl, inline))
    .map(([name, values]) => [name, ...values].join(" "))
    .join(";");
}

/** The directives of a page's policy. Pictures may come from any https host. */
export function directives(
  publicUrl: string,
  { styleHashes, scriptHashes }: InlineHashes = { styleHashes: [], scriptHashes: [] },
): Record<string, readonly string[]> {
  return {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...scriptHashes],
    "style-src": ["'self'", ...toastStyleHashes, ...styleHashes],
    "img-src": ["'self'", "https:", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", publicUrl.replace(/^http/, "ws")],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
    ...(isSecure(publicUrl) ? { "upgrade-insecure-requests": [] } : {}),
  };
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https://");
}

/**
 * The security headers of pages. A page with inline elements replaces the
 * `Content-Security-Policy`.
 */
export function securityHeaders({ publicUrl }: Pick<Config, "publicUrl">): HelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives: directives(publicUrl) },
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "same-origin" },
    // Without `includeSubDomains`: other sites of the domain may not have TLS.
    strictTransportSecurity: isSecure(publicUrl)
      ? { maxAge: HSTS_SECONDS, includeSubDomains: false }
      : false,
    xFrameOptions: { action: "deny" },
    xXssProtection: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    originAgentCluster: false,
  };
}

/**
 * The security headers of data. They are few, because answering an order takes about as long as
 * writing the headers of a page.
 */
export function dataHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    ...(isSecure(publicUrl) ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {}),
  };
}

/**
 * The headers of helmet, by their lower-case names. They are computed once, because they are always
 * the same.
 */
export function helmetHeaders(options: HelmetOptions): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return response.getHeaders();
}
