import type { Address } from "@keepsats/domain";

/** An address as on an envelope. */
export function AddressLines({ address }: { address: Address }) {
  const { street, city, state, postal_code, country } = address;
  return (
    <address className="wrap-anywhere not-italic">
      {street}
      <br />
      {city}, {state} {postal_code}
      <br />
      {country}
    </address>
  );
}
