import { type Address, addressLines } from "@keepsats/domain";
import { Fragment } from "react";

interface AddressLinesProps {
  /** Above the address. */
  readonly name?: string;
  readonly address: Address;
}

/** An address as on an envelope. */
export function AddressLines({ name, address }: AddressLinesProps) {
  const lines = [...(name === undefined ? [] : [name]), ...addressLines(address)];
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
