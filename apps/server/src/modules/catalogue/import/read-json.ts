import { MAX_IMPORT } from "@keepsats/protocol";
import { parseJson } from "../../../platform/parse-json.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { type CollectedItems, createItemCollector, MAX_ERRORS } from "./collect-items.ts";

/** The share of the time that validation takes while there are requests. */
const VALIDATION_SHARE = 1 / 4;

/** Reads the items of a body such as `{"items": […]}`. Other fields of the body are ignored. */
export async function readJson(text: string): Promise<CollectedItems | Refusal> {
  const body = parseJson(text);
  if (body === undefined) return new Refusal("malformed", { detail: "The body must be JSON." });
  if (!isObject(body))
    return new Refusal("malformed", { detail: "The body must be a JSON object." });
  const { collected, fail, add } = createItemCollector();
  const list: unknown = Reflect.get(body, "items");
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

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
