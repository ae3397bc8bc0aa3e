import type { DraftField } from "./item-draft.ts";

/** The labels of the fields of an item. */
export const fieldLabels: Readonly<Record<DraftField, string>> = {
  id: "Id",
  name: "Name",
  description: "Description",
  price: "Price in dollars",
  stock: "Stock (empty: not counted)",
  isHidden: "Shown in shop",
  pictures: "Pictures",
};
