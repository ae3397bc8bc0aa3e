import { MAX_IMPORT_BYTES } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { positionText, readImportFile } from "./import-file.ts";

test("a CSV file is sent unchanged", async () => {
  const file = new File(["id,price\nmug,1"], "Items.CSV");
  expect(await readImportFile(file)).toEqual({ type: "text/csv", content: file });
});

test.each(['[{"id":"mug"}]', '\uFEFF{"items":[{"id":"mug"}]}'])("%j is an import", async (text) => {
  expect(await readImportFile(new File([text], "items.json"))).toEqual({
    type: "application/json",
    content: '{"items":[{"id":"mug"}]}',
  });
});

test("other files and too large files are refused before they are sent", async () => {
  await expect(readImportFile(new File(["PK"], "items.xlsx"))).rejects.toThrow("neither CSV");
  const large = new File([new Uint8Array(MAX_IMPORT_BYTES + 1)], "items.csv");
  await expect(readImportFile(large)).rejects.toThrow("16 MB");
});

test("JSON that is not in UTF-8 is refused", async () => {
  const latin1 = new Blob([
    Uint8Array.from('[{"name":"Caf\u00e9"}]', (letter) => letter.charCodeAt(0)),
  ]);
  await expect(readImportFile(new File([latin1], "items.json"))).rejects.toThrow(
    "The file is not in UTF-8. Save it as UTF-8.",
  );
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
