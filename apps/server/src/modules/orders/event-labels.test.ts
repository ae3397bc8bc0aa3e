import { expect, test } from "vitest";
import { anAddress } from "../../../../../test/harness/builders.ts";
import { eventLabels } from "./event-labels.ts";

const labels = (data: unknown) => eventLabels(JSON.stringify(data));

test.each([
  ["no data", {}, null, null],
  ["a note", { text: "Call first.\nThen ring." }, "Call first.\nThen ring.", null],
  ["a cancellation", { message: "Sold out, sorry." }, "Sold out, sorry.", null],
  [
    "a shipment",
    { carrier: "DHL", tracking_number: "123", tracking_url: "https://dhl.example/123" },
    null,
    "Carrier DHL, tracking number 123, tracking link https://dhl.example/123",
  ],
  [
    "a corrected shipment",
    { tracking_number: "124", tracking_url: null },
    null,
    "Tracking number 124, no tracking link",
  ],
  [
    "a corrected address",
    { previous: anAddress({ street: "1 Old Road" }) },
    null,
    "Shipping address before: 1 Old Road, London, Greater London, SW1Y 4JH, United Kingdom",
  ],
  [
    "an address of another version",
    { previous: { street: "1 Old Road", district: "Soho" } },
    null,
    "Shipping address before: 1 Old Road",
  ],
  [
    "a granted refund",
    {
      cents: 2_000,
      currency: "USD",
      method: "cash",
      grant: "return",
      lines: [
        { item_id: "pot", name: "Moka pot", quantity: 2, restocked: 1 },
        { item_id: "cup", name: "Cup", quantity: 1, restocked: 0 },
      ],
    },
    null,
    "$20.00, return: 2 × Moka pot (1 restocked), 1 × Cup",
  ],
  [
    "a refund as goodwill",
    { cents: 500, currency: "USD", grant: "goodwill", lines: [] },
    null,
    "$5.00, goodwill",
  ],
  [
    "a return",
    { return_id: "1", message: "Send it back.", pieces: [{ name: "Moka pot", quantity: 2 }] },
    "Send it back.",
    "2 × Moka pot",
  ],
  ["a refund of money that was due", { cents: 500, currency: "USD" }, null, null],
  ["data of a newer version", { previous: "elsewhere", weight: 3 }, null, null],
  ["data that is not an object", ["x"], null, null],
])("the labels of %s", (_name, data, message, detail) => {
  expect(labels(data)).toEqual({ message, detail });
});

test("an event without data has no labels", () => {
  expect(eventLabels(null)).toEqual({ message: null, detail: null });
});
