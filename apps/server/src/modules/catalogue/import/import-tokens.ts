import type { FieldError } from "@keepsats/domain";
import { type ImportedItem, MAX_IMPORT, MAX_PICTURES } from "@keepsats/protocol";
import type { Token } from "stream-json/core/parser.js";
import { createItemCollector, MAX_ERRORS } from "./collect-items.ts";

/**
 * The depth of an item's fields (body, list, item). Deeper values are errors or are ignored, except
 * the elements of a list.
 */
const ITEM_DEPTH = 3;
const MAX_DEPTH = 8;
const MAX_FIELDS = 20;
/** More than the limit of any field. A longer text is replaced by {@link TOO_LONG}. */
const MAX_TEXT = 8_192;
/**
 * Too long for every field. A truncated text could be valid, such as a word followed by many
 * blanks.
 */
const TOO_LONG = "x".repeat(MAX_TEXT + 1);

export interface ImportTokens {
  /** @returns false when the rest of the body need not be parsed */
  take(token: Token): boolean;
  readonly items: readonly ImportedItem[];
  /** The zero-based position of each item in the body's list. */
  readonly indexes: readonly number[];
  readonly errors: readonly FieldError[];
  /** Whether the object of the body has been closed. */
  readonly isWhole: boolean;
  /** Why the body is not an import at all. */
  readonly malformed: string | undefined;
}

/**
 * Builds and validates the items of an import one at a time, from the tokens of a body like
 * `{"items": […]}`. Other fields of the body are ignored. Depth, number of fields and length of
 * texts are bounded.
 */
export function createImportTokens(): ImportTokens {
  const { items, positions, errors, fail, add } = createItemCollector();
  let malformed: string | undefined;
  let depth = 0;
  let key = "";
  let inItems = false;
  let inItem = false;
  let listed = false;
  let count = 0;
  let item = newFields();
  /** The list that is the value of a field of the item. */
  let list: unknown[] | undefined;
  let text = "";
  let isWhole = false;

  /** Handles the start of a value, depending on its position. */
  function value(found: unknown): void {
    if (depth === 0) malformed ??= "The body must be a JSON object.";
    else if (depth === 1 && key === "items") fail("items", "must be a list of items");
    else if (depth === 2 && inItems) element(found);
    else if (depth === ITEM_DEPTH && inItem) item.set(key, found);
    else if (depth === ITEM_DEPTH + 1 && list !== undefined && list.length <= MAX_PICTURES)
      list.push(found);
  }

  function element(found: unknown): void {
    const location = `items.${count}`;
    count += 1;
    if (count > MAX_IMPORT) return fail("items", `must be at most ${MAX_IMPORT} items`);
    if (!(found instanceof Map)) return fail(location, "must be an object");
    add(found, location, count - 1);
  }

  function open(kind: "object" | "array"): void {
    const isRoot = depth === 0 && kind === "object";
    const isList = depth === 1 && kind === "array" && key === "items";
    const isItem = depth === 2 && kind === "object" && inItems;
    if (isList) {
      inItems = true;
      listed = true;
    } else if (isItem) {
      inItem = true;
      item = newFields();
    } else if (kind === "array" && depth === ITEM_DEPTH && inItem) {
      list = [];
      value(list);
    } else if (!isRoot) value(kind === "array" ? [] : {});
    depth += 1;
    if (depth > MAX_DEPTH) malformed ??= "The body is nested too deeply.";
  }

  function close(): void {
    depth -= 1;
    if (depth === ITEM_DEPTH) list = undefined;
    if (depth === 2 && inItem) {
      inItem = false;
      element(item);
    }
    if (depth === 1) inItems = false;
    if (depth > 0) return;
    isWhole = true;
    if (!listed && errors.length === 0) fail("items", "must be a list of items");
  }

  return {
    items,
    indexes: positions,
    errors,
    get isWhole() {
      return isWhole;
    },
    get malformed() {
      return malformed;
    },
    take(token) {
      switch (token.name) {
        case "startObject":
          open("object");
          break;
        case "startArray":
          open("array");
          break;
        case "endObject":
        case "endArray":
          close();
          break;
        case "startKey":
        case "startString":
        case "startNumber":
          text = "";
          break;
        case "stringChunk":
        case "numberChunk":
          if (text.length <= MAX_TEXT) text += token.value;
          break;
        case "endKey":
          key = text;
          if (depth === ITEM_DEPTH && inItem && item.size >= MAX_FIELDS)
            malformed ??= "An item has too many fields.";
          break;
        case "endString":
          value(text.length <= MAX_TEXT ? text : TOO_LONG);
          break;
        case "endNumber":
          value(text.length <= MAX_TEXT ? Number(text) : Number.NaN);
          break;
        case "nullValue":
        case "trueValue":
        case "falseValue":
          value(token.value);
          break;
        case "keyValue":
        case "stringValue":
        case "numberValue":
        case "whitespace":
          break; // The parser is configured not to emit these.
      }
      return malformed === undefined && errors.length < MAX_ERRORS && count <= MAX_IMPORT;
    },
  };
}

function newFields(): Map<string, unknown> {
  return new Map();
}
