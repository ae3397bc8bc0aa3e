import { expect, test } from "vitest";
import { MAX_NOTE_LENGTH, noteRequestSchema, orderMoveSchema } from "./order-changes.ts";

/** The paths of the fields that are refused; empty if the body is valid. */
function refused(body: unknown): string[] {
  const { error } = orderMoveSchema.safeParse(body);
  return (error?.issues ?? []).map(({ path, code }) => path.join(".") || code);
}

const shipped = (fields: object) => refused({ to: "Shipped", ...fields });

test("a shipment has a carrier, a tracking number and a link", () => {
  const link = "https://dhl.example/track?id=123&lang=en#now";
  expect(shipped({ carrier: "DHL", tracking_number: "JD 0123", tracking_url: link })).toEqual([]);
  expect(shipped({ tracking_url: "HTTP://dhl.example/" })).toEqual([]);
});

test.each([
  "javascript:alert(1)",
  " javascript:alert(1)",
  "JavaScript://dhl.example/%0aalert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "ftp://dhl.example/",
  "//dhl.example/",
  "/track",
  "dhl.example",
  "https://",
  "https:///",
  "https://dhl.example/a b",
  "https://dhl.example/\u0000",
  "https://dhl.example\\@evil.example/",
  "https://[::1",
  `https://dhl.example/${"x".repeat(2_000)}`,
  "",
])("%j is not a tracking link", (tracking_url) => {
  expect(shipped({ tracking_url })).toContain("tracking_url");
});

test("carrier and tracking number are short texts of one line", () => {
  for (const text of ["", " ", "x".repeat(101), "a\nb", "\u0007"]) {
    expect(shipped({ carrier: text })).toEqual(["carrier"]);
    expect(shipped({ tracking_number: text })).toEqual(["tracking_number"]);
  }
});

test("only a shipped order has a carrier, and only a cancelled one a message", () => {
  const shipment = { carrier: "DHL", tracking_number: "1", tracking_url: "https://dhl.example/1" };
  expect(refused({ to: "Delivered", ...shipment })).toEqual([
    "carrier",
    "tracking_number",
    "tracking_url",
  ]);
  expect(refused({ to: "Shipped", message: "It is on its way" })).toEqual(["message"]);
  expect(refused({ to: "Cancelled", message: "Sold out.\nSorry!" })).toEqual([]);
});

test("a misspelt field is refused", () => {
  expect(shipped({ trackingNumber: "1" })).toEqual(["unrecognized_keys"]);
});

test("a note keeps its line breaks and is trimmed", () => {
  const note = noteRequestSchema.parse({ text: "  Call first.\r\n\tThen ring.\n" });
  expect(note.text).toBe("Call first.\n\tThen ring.");
});

test.each([
  ["empty", ""],
  ["blank", " \n\t "],
  ["too long", "x".repeat(MAX_NOTE_LENGTH + 1)],
  ["with a control character", "a\u001b[31mb"],
  ["with half a character", "a\ud800b"],
])("a note that is %s is refused", (_why, text) => {
  expect(noteRequestSchema.safeParse({ text }).success).toBe(false);
});

test("a note may have the maximum length", () => {
  expect(noteRequestSchema.safeParse({ text: "x".repeat(MAX_NOTE_LENGTH) }).success).toBe(true);
});
