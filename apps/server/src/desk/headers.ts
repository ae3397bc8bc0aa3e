import type { HelmetOptions } from "helmet";
import { toastStyleHashes } from "../http/security-headers.ts";

/**
 * The security headers of all answers of the desk. Pictures of items may come from the shop and
 * from any https host.
 */
export function deskHeaders(deskUrl: string, publicUrl: string): HelmetOptions {
  const isSecure = deskUrl.startsWith("https:");
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", ...toastStyleHashes],
        "img-src": ["'self'", publicUrl, "https:", "data:", "blob:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'", deskUrl.replace(/^http/, "ws")],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
        ...(isSecure ? { "upgrade-insecure-requests": [] } : {}),
      },
    },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: "deny" },
    xXssProtection: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    originAgentCluster: false,
  };
}
