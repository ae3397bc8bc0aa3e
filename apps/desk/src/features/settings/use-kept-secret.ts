import { useState } from "react";

const SECRET_BYTES = 32;

/**
 * A secret for a webhook, made here. It stays the same until `renew` is called, so that an attempt
 * whose answer was lost is repeated with the same secret, which changes nothing more.
 */
export function useKeptSecret() {
  const [secret, setSecret] = useState(makeSecret);
  return { secret, renew: () => setSecret(makeSecret) };
}

function makeSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}
