/**
 * Why a request was refused: an address is over its limit of orders per minute or per day, opened
 * sockets per minute, open sockets, wrong tokens per minute, wrong keys of orders per minute, or at
 * the desk wrong cookies, links or passkeys, or challenges for new passkeys per minute, or emailed
 * links per client or email address; or a token, a key or a sign-in was wrong.
 */
export const refusals = [
  "orders",
  "orders-daily",
  "sockets",
  "open-sockets",
  "tokens",
  "wrong-token",
  "order-keys",
  "wrong-key",
  "desk-cookies",
  "desk-links",
  "desk-passkeys",
  "desk-challenges",
  "desk-emails",
  "desk-email-address",
  "desk-email-address-daily",
  "wrong-sign-in",
] as const;
export type Refusal = (typeof refusals)[number];

/** Called when a request of an address, or of an IPv6 network, was refused. */
export type OnRefused = (kind: Refusal, network: string) => void;
