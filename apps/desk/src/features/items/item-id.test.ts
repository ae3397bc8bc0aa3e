import { itemIdSchema } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { emptyDraft } from "./item-draft.ts";
import { itemIdOf, withMadeId } from "./item-id.ts";

test.each([
  ["Kaffee Nordwind", "kaffee-nordwind"],
  ["  Crème brûlée, 2 × 100 g ", "creme-brulee-2-100-g"],
  ["Größe", "grosse"],
  ["コーヒー", "item"],
  ["", "item"],
])("the name %j makes the id %s", (name, id) => {
  expect(itemIdOf(name, [])).toBe(id);
});

test("an id that another item has gets a number", () => {
  expect(itemIdOf("Tin Cup", ["tin-cup"])).toBe("tin-cup-2");
  expect(itemIdOf("Tin Cup", ["tin-cup", "tin-cup-2"])).toBe("tin-cup-3");
});

test("the shop takes the id of the longest name", () => {
  const id = itemIdOf("ab ".repeat(70), []);
  expect(itemIdSchema.safeParse(id).success).toBe(true);
  expect(itemIdSchema.safeParse(itemIdOf("ab ".repeat(70), [id])).success).toBe(true);
});

test("the id follows the name until another id is typed, and again once that is emptied", () => {
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
