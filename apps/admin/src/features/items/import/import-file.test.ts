import { MAX_IMPORT_BYTES } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { importFileOf, positionText } from "./import-file.ts";

test.each([
  ["Items.CSV", "text/csv"],
  ["items.json", "application/json"],
])("%s is sent as %s", (name, type) => {
  const file = new File(["id,price\nmug,1"], name);
  expect(importFileOf(file)).toEqual({ type, content: file });
});

test("other files and too large files are refused before they are sent", () => {
  expect(() => importFileOf(new File(["PK"], "items.xlsx"))).toThrow("neither CSV");
  const large = new File([new Uint8Array(MAX_IMPORT_BYTES + 1)], "items.csv");
  expect(() => importFileOf(large)).toThrow("16 MB");
});

test.each([
  ["items.2.price", "item 3, price"],
  ["lines.17.price", "line 17, price"],
  ["lines.17", "line 17"],
  ["items", "items"],
  ["", "the file"],
])("%j is shown as %s", (path, text) => {
  expect(positionText(path)).toBe(text);
});
