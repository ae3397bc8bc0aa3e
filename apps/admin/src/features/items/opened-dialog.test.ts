import { expect, test } from "vitest";
import { mug } from "./mug.test-data.ts";
import { linkedDialog } from "./opened-dialog.ts";

const linked = (address: string) => linkedDialog(new URLSearchParams(address), [mug]);

test("an address opens the dialog that it names", () => {
  expect(linked("open=new")).toEqual({ kind: "new" });
  expect(linked("q=mug&open=import")).toEqual({ kind: "import" });
  expect(linked("edit=mug")).toEqual({ kind: "edit", item: mug });
});

test.each(["q=mug", "open=other", "edit=gone"])("the address ?%s opens none", (address) => {
  expect(linked(address)).toBeUndefined();
});
