import type { FastifyHelmetOptions } from "@fastify/helmet";
import type { Config } from "../config.ts";

/**
 * The hashes of the styles that the toast library adds at run time: its style sheet, and the empty one that it starts
 * from. A new version of the library needs new hashes; until then the browser tests report a blocked style.
 */
const toastStyleHashes = [
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
];

/**
 * The page's security headers. `frame-ancestors` and `form-action` are closed; pictures may come from any https host.
 *
 * @param styleHashes the hashes of the inline styles, such as `'sha256-…'`
 * @param scriptHashes the hashes of the inline scripts
 */
export function securityHeaders(
  { publicUrl }: Pick<Config, "publicUrl">,
  {
    styleHashes = [],
    scriptHashes = [],
  }: { styleHashes?: readonly string[]; scriptHashes?: readonly string[] } = {},
): FastifyHelmetOptions {
  const secure = publicUrl.startsWith("https://");
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scriptHashes],
        styleSrc: ["'self'", ...toastStyleHashes, ...styleHashes],
        imgSrc: ["'self'", "https:", "data:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", publicUrl.replace(/^http/, "ws")],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "same-origin" },
    // Without `includeSubDomains`: other sites of the merchant's domain may not have TLS.
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: "deny" },
    xXssProtection: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    originAgentCluster: false,
  };
}

/** The same headers for the prepared answers of the catalogue, which have no hooks. */
export const dataHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
};
