/**
 * What is refused because it is too much for one address: orders in a minute and in a day, sockets opened in a minute,
 * sockets open at a time, requests with a wrong token; and each single wrong token.
 */
export const refusals = [
  "orders",
  "orders-daily",
  "sockets",
  "open-sockets",
  "tokens",
  "wrong-token",
] as const;
export type Refusal = (typeof refusals)[number];

/** Hears that something was refused to an address, or to a network of IPv6. */
export type OnRefused = (kind: Refusal, network: string) => void;
