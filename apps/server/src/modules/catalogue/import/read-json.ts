import { MAX_IMPORT } from "@keepsats/protocol";
import { parseJson } from "../../../platform/parse-json.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { type CollectedItems, createItemCollector, MAX_ERRORS } from "./collect-items.ts";

/** The share of the time that validation takes while there are requests. */
const VALIDATION_SHARE = 1 / 4;

/** The lists and objects of an item are nested 4 deep. */
const MAX_DEPTH = 8;
/** More than the fields and pictures of the items that fit into `MAX_IMPORT_BYTES`. */
const MAX_VALUES = 1_000_000;
const TOKENS_PER_BATCH = 1_000;

/**
 * Reads the items of a body such as `{"items": […]}`, whose other fields are ignored, or of a list
 * alone.
 */
export async function readJson(text: string): Promise<CollectedItems | Refusal> {
  if (!(await isBounded(text))) {
    const detail = `The body must have at most ${MAX_VALUES} values, nested at most ${MAX_DEPTH} deep.`;
    return new Refusal("malformed", { detail });
  }
  const body = parseJson(text);
  if (body === undefined) return new Refusal("malformed", { detail: "The body must be JSON." });
  if (!isObject(body) && !Array.isArray(body))
    return new Refusal("malformed", { detail: "The body must be a JSON object." });
  const { collected, fail, add } = createItemCollector();
  const list: unknown = isObject(body) ? Reflect.get(body, "items") : body;
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  if (items !== list) fail("items", "must be a list of items");
  if (items.length > MAX_IMPORT) fail("items", `must be at most ${MAX_IMPORT} items`);
  const yieldToEventLoop = createYield({ share: VALIDATION_SHARE });
  for (const [index, item] of items.slice(0, MAX_IMPORT).entries()) {
    if (collected.errors.length >= MAX_ERRORS) break;
    const path = `items.${index}`;
    if (isObject(item)) add(item, path);
    else fail(path, "must be an object");
    await yieldToEventLoop();
  }
  return collected;
}

/** Parsed, a small or deeply nested value takes up to 60 times its size in memory. */
async function isBounded(text: string): Promise<boolean> {
  const yieldToEventLoop = createYield({ share: VALIDATION_SHARE });
  let tokens = 0;
  let depth = 0;
  let values = 1;
  let isQuoted = false;
  for (const [token, opening, closing] of text.matchAll(/\\.|[",]|([[{])|([\]}])/g)) {
    tokens += 1;
    if (tokens % TOKENS_PER_BATCH === 0) await yieldToEventLoop();
    if (token === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (opening !== undefined) depth += 1;
    if (closing !== undefined) depth -= 1;
    if (opening !== undefined || token === ",") values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false;
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
