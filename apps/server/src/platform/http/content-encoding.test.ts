import { expect, test } from "vitest";
import { pickEncoding } from "./content-encoding.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["gzip, deflate, br", "br"],
  ["gzip, br;q=0", "gzip"],
  ["br;q=0.0, gzip;q=0", undefined],
  ["br;q=0.5", "br"],
])("Accept-Encoding %j is answered with %s", (accepted, encoding) => {
  expect(pickEncoding(accepted)).toBe(encoding);
});
