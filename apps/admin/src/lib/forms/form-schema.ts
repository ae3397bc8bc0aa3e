import * as z from "zod/mini";

/** A schema for a parsed text. `message`: the error if `parse` returns `undefined`. */
export function parsedText<Value>(message: string, parse: (text: string) => Value | undefined) {
  return z.pipe(
    z.string(),
    z.transform((text: string, context): Value => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    }),
  );
}

/** A schema for an optional text: an empty text is parsed as `none`. */
export function emptyAs<Output, Filled extends string | null | undefined>(
  none: null | undefined,
  schema: z.ZodMiniType<Output, Filled>,
) {
  const filled = (text: string): string | null | undefined => (text.trim() === "" ? none : text);
  return z.pipe(z.transform(filled), schema);
}
