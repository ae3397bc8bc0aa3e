import { amountFromCents, centsFromAmount, decimalFromCents } from "@keepsats/domain";
import {
  type ExpectedItem,
  type ItemPatch,
  type ItemWrite,
  itemIdSchema,
  itemPatchSchema,
  itemWriteSchema,
  type MerchantItem,
} from "@keepsats/protocol";

/** What is typed about an item. */
export interface ItemDraft {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** In dollars. */
  readonly price: string;
  /** How many pieces are left; empty for an item that is not counted. */
  readonly stock: string;
  readonly isHidden: boolean;
  /** The addresses of its pictures; the first is the one of the card. */
  readonly pictures: readonly string[];
}

export type DraftField = keyof ItemDraft;
/** What is wrong with a draft, by field. */
export type DraftFaults = Readonly<Partial<Record<DraftField, string>>>;

export type ReadItem =
  | { readonly kind: "item"; readonly id: string; readonly item: ItemWrite }
  | { readonly kind: "invalid"; readonly faults: DraftFaults };

export const emptyDraft: ItemDraft = {
  id: "",
  name: "",
  description: "",
  price: "",
  stock: "",
  isHidden: false,
  pictures: [],
};

/** The draft of an item as it is. */
export function draftOf({
  price,
  stock,
  hidden,
  image_url,
  image_urls,
  ...item
}: MerchantItem): ItemDraft {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    price: decimalFromCents(price),
    stock: stockText(stock),
    isHidden: hidden,
    pictures: [image_url, ...image_urls],
  };
}

/** A count of pieces as it is typed. */
function stockText(stock: number | null): string {
  return stock === null ? "" : String(stock);
}

const fields: Readonly<Record<string, DraftField>> = {
  image_url: "pictures",
  image_urls: "pictures",
  hidden: "isHidden",
  name: "name",
  description: "description",
  price: "price",
  stock: "stock",
};

/** Reads a draft by the rules of the API. */
export function readDraft(draft: ItemDraft): ReadItem {
  const faults: Partial<Record<DraftField, string>> = {};
  const id = itemIdSchema.safeParse(draft.id.trim());
  if (!id.success) faults.id = sentence(id.error.issues[0]?.message ?? "");
  const [first, ...others] = draft.pictures;
  const item = itemWriteSchema.safeParse({
    name: draft.name,
    description: draft.description,
    price: amountTyped(draft.price),
    stock: stockTyped(draft.stock),
    hidden: draft.isHidden,
    image_url: first ?? "",
    image_urls: others,
  });
  for (const { path, message } of item.error?.issues ?? []) {
    const field = fields[String(path[0])];
    if (field !== undefined)
      faults[field] ??=
        field === "pictures" && first === undefined
          ? "Add a picture."
          : words(field, draft, message);
  }
  if (!id.success || !item.success) return { kind: "invalid", faults };
  return { kind: "item", id: id.data, item: item.data };
}

/**
 * The fields in which an item differs from what it was; only they are sent, so that what others
 * changed meanwhile stays.
 */
export function patchOf(opened: MerchantItem, item: ItemWrite): ItemPatch {
  const before: Readonly<Record<string, unknown>> = { ...opened };
  const changed = Object.entries(item).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed);
}

/** What the fields of a change were when they were seen. */
export function expectedOf(patch: ItemPatch, seen: MerchantItem): ExpectedItem {
  return Object.fromEntries(Object.entries(seen).filter(([field]) => field in patch));
}

/** An item with the fields of a change that is made in the table. */
export function changedItem(item: MerchantItem, patch: ItemPatch): MerchantItem {
  const { name = item.name, price = item.price, stock = item.stock } = patch;
  return { ...item, name, price, stock };
}

/** The draft with what others have changed, except in the fields that were typed in. */
export function rebasedDraft(draft: ItemDraft, opened: MerchantItem, now: MerchantItem): ItemDraft {
  const typed = changedFields(draftOf(opened), draft);
  return { ...draftOf(now), ...Object.fromEntries(typed.map((field) => [field, draft[field]])) };
}

/** A field of a draft for people. */
export function fieldText(draft: ItemDraft, field: DraftField): string {
  const value = draft[field];
  // The value is `hidden`, but the label is "Shown in shop".
  if (typeof value === "boolean") return value ? "no" : "yes";
  if (typeof value === "string") return value || "empty";
  return value.length === 1 ? "1 picture" : `${value.length} pictures`;
}

/**
 * The fields in which two drafts of an item differ, such as an open form and the item as it is now.
 */
export function changedFields(opened: ItemDraft, now: ItemDraft): DraftField[] {
  const all: DraftField[] = ["name", "description", "price", "stock", "isHidden", "pictures"];
  return all.filter((field) => JSON.stringify(opened[field]) !== JSON.stringify(now[field]));
}

export type ReadField =
  | { readonly kind: "patch"; readonly patch: ItemPatch }
  | { readonly kind: "invalid"; readonly message: string };

/** Reads one field that is edited in the table. */
export function readField(field: "name" | "price" | "stock", text: string): ReadField {
  const value = field === "name" ? text : field === "price" ? amountTyped(text) : stockTyped(text);
  const read = itemPatchSchema.safeParse({ [field]: value });
  if (read.success) return { kind: "patch", patch: read.data };
  const message = read.error.issues[0]?.message ?? "";
  return { kind: "invalid", message: words(field, { [field]: text }, message) };
}

/**
 * What is wrong with a field, as a sentence. @param message the API's, which is about its own
 * formats
 */
function words(field: DraftField, draft: Partial<ItemDraft>, message: string): string {
  if (field === "price" && Number.isNaN(amountTyped(draft.price ?? "")))
    return "Type a price such as 12.50.";
  if (field === "stock" && Number.isNaN(stockTyped(draft.stock ?? "")))
    return "Type a whole number of pieces, or nothing.";
  return sentence(message);
}

/** The API's errors follow the name of their field: `must not be empty`. */
function sentence(message: string): string {
  return `It ${message}.`;
}

/**
 * An amount of dollars; `NaN` for what is none. It may have a dollar sign, commas between
 * thousands, and a comma instead of the point: 12,50.
 */
function amountTyped(text: string): number {
  const plain = text.replace(/[$\s]|,(?=\d{3}(\D|$))/g, "");
  const cents = centsFromAmount(plain.replace(/^(\d+),(\d{1,2})$/, "$1.$2"));
  return cents === undefined ? Number.NaN : amountFromCents(cents);
}

/** A count of pieces, `null` for an empty text, `NaN` for what is no count. */
function stockTyped(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
