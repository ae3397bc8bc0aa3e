import { expect, test } from "vitest";
import * as z from "zod/mini";
import { editedResolver } from "./stored-form.ts";

const schema = z.object({
  name: z.string().check(z.maxLength(5)),
  stock: z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number)),
});
const validate = (typed: z.input<typeof schema>, edited: readonly ("name" | "stock")[]) =>
  editedResolver(schema, edited)(typed, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  });

test("a stored value that is no longer valid does not block changes to other fields", async () => {
  expect(await validate({ name: "stored long ago", stock: "7" }, ["stock"])).toEqual({
    values: { stock: 7 },
    errors: {},
  });
});

test("only the edited field with an error is refused", async () => {
  const { values, errors } = await validate({ name: "stored long ago", stock: "x" }, ["stock"]);
  expect(values).toEqual({});
  expect(Object.keys(errors)).toEqual(["stock"]);
});
