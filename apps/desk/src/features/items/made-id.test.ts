import { expect, test } from "vitest";
import { emptyDraft } from "./item-draft.ts";
import { withMadeId } from "./made-id.ts";

test("the id follows the name until it is edited, and again after it is cleared", () => {
  const taken = ["tin-cup"];
  const after = (draft: typeof emptyDraft, name: string) => ({
    ...draft,
    ...withMadeId(draft, { name }, taken),
  });
  const typed = after(after(emptyDraft, "Tin"), "Tin Cup");
  expect(typed).toMatchObject({ name: "Tin Cup", id: "tin-cup-2" });
  expect(after(typed, "").id).toBe("");
  const own = { ...typed, id: "cup" };
  expect(after(own, "Tin Mug")).toMatchObject({ name: "Tin Mug", id: "cup" });
  expect(after({ ...own, id: "" }, "Tin Mug").id).toBe("tin-mug");
  expect(withMadeId(typed, { price: "3" }, taken)).toEqual({ price: "3" });
});
