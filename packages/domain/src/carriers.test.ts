import { expect, test } from "vitest";
import { carriers, trackingUrlOf } from "./carriers.ts";
import { isWebAddress } from "./contact.ts";

test.each([
  ["DHL", "00340", "https://www.dhl.com/global-en/home/tracking.html?tracking-id=00340"],
  [" dhl  express ", "00340", "https://www.dhl.com/global-en/home/tracking.html?tracking-id=00340"],
  ["UPS", "1Z 999 AA1", "https://www.ups.com/track?tracknum=1Z999AA1"],
  ["Fed Ex", "1", "https://www.fedex.com/fedextrack/?trknbr=1"],
  ["Colissimo", "8L1", "https://www.laposte.fr/outils/suivre-vos-envois?code=8L1"],
  ["USPS", "a&b=c", "https://tools.usps.com/go/TrackConfirmAction?tLabels=a%26b%3Dc"],
])("carrier %j and number %j make the link %s", (carrier, tracking_number, url) => {
  expect(trackingUrlOf({ carrier, tracking_number })).toBe(url);
});

test.each([
  ["Hermes", "1"],
  ["DHLX", "1"],
  ["", "1"],
  [null, "1"],
  ["DHL", " "],
  ["DHL", null],
  [undefined, undefined],
])("carrier %j and number %j make no link", (carrier, tracking_number) => {
  expect(trackingUrlOf({ carrier, tracking_number })).toBeUndefined();
});

test("every link is a web address, even with a hostile number", () => {
  for (const { name } of carriers) {
    const url = trackingUrlOf({ carrier: name, tracking_number: '"><script>' });
    expect(isWebAddress(url ?? "")).toBe(true);
    expect(url).not.toMatch(/[<>"]/);
  }
});
