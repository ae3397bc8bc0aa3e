import * as z from "zod/mini";

/** PostgreSQL refuses a query with a zero byte. */
export const storableText = z.string().check(z.refine((text) => !text.includes("\0")));

/**
 * Encodes a list of values as one text of letters, digits, dashes and underscores.
 * {@link fromOpaqueText} is the inverse.
 */
export function toOpaqueText(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/**
 * Decodes a text of {@link toOpaqueText}; `undefined` if it holds something else than the schema
 * says.
 */
export function fromOpaqueText<Schema extends z.ZodMiniType>(
  text: string,
  schema: Schema,
): z.output<Schema> | undefined {
  return schema.safeParse(parseJson(Buffer.from(text, "base64url").toString())).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
