import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import * as z from "zod/mini";
import type { Name } from "./merge-edits.ts";

/** The schema of an object, with the schemas of its fields. */
export type ObjectSchema<Input, Output> = z.ZodMiniType<Output, Input> & {
  readonly shape: { readonly [Field in keyof Output]: z.ZodMiniType<Output[Field]> };
};

/**
 * Validates only the edited fields: a stored value that today's rules refuse must not block changes
 * to the other fields.
 */
export function editedResolver<Input extends FieldValues, Output extends object>(
  schema: ObjectSchema<Input, Output>,
  edited: readonly Name<Input>[],
): Resolver<Input, unknown, Partial<Output>> {
  const validate = zodResolver<Input, unknown, Output>(schema);
  return async (typed, context, options) => {
    const { errors } = await validate(typed, context, options);
    const wrong: FieldErrors<Input> = {};
    for (const name of edited) if (name in errors) Object.assign(wrong, { [name]: errors[name] });
    if (Object.keys(wrong).length > 0) return { values: {}, errors: wrong };
    const output: Partial<Output> = {};
    for (const name in schema.shape) {
      const read = schema.shape[name].safeParse(typed[name]);
      if (read.success) output[name] = read.data;
    }
    return { values: output, errors: {} };
  };
}

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
