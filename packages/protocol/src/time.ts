import * as z from "zod/mini";

/**
 * A time: whole seconds since 1970 on the wire, milliseconds since 1970 once decoded. Encoding
 * drops the fraction of a second: `1_999` → `1`.
 */
export const secondsAsMilliseconds = z.codec(
  z.int().check(z.meta({ description: "Seconds since 1970" })),
  z.number(),
  {
    decode: (seconds) => seconds * 1_000,
    encode: (milliseconds) => Math.floor(milliseconds / 1_000),
  },
);
