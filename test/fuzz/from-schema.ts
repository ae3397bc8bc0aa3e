import fc from "fast-check";

/**
 * Arbitrary values that are mostly valid for a JSON Schema of the kind that the API document uses.
 */
export function arbitraryOf(schema: unknown): fc.Arbitrary<unknown> {
  const read = (name: string): unknown => Reflect.get(Object(schema), name);
  const any = read("anyOf") ?? read("oneOf");
  if (Array.isArray(any)) return fc.oneof(...any.map(arbitraryOf));
  const all = read("allOf");
  if (Array.isArray(all) && all.length > 0)
    return arbitraryOf({ ...Object(schema), allOf: undefined, ...all[0] });
  const values = read("enum");
  if (Array.isArray(values)) return fc.constantFrom(...values);
  switch (read("type")) {
    case "object":
      return objectOf(Object(read("properties") ?? {}));
    case "array":
      return fc.array(arbitraryOf(read("items")), { minLength: 1, maxLength: 5 });
    case "integer":
      return fc.integer({ min: 1, max: 12 });
    case "number":
      return fc.constantFrom(1, 12.5, 45, 99.99);
    case "boolean":
      return fc.boolean();
    default:
      return fc.constantFrom(
        "moka-pot",
        "enamel-mug",
        "ada@example.org",
        "/pictures/moka-pot.svg",
        "Shipped",
        "London",
      );
  }
}

function objectOf(properties: object): fc.Arbitrary<unknown> {
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)]),
    ),
    { requiredKeys: Object.keys(properties).slice(0, -1) },
  );
}

/**
 * One operation of the API: its method, its path with `{…}` for parameters, and the JSON Schema of
 * its body.
 */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** All operations of an OpenAPI document. */
export function operationsOf(document: unknown): Operation[] {
  const paths: Record<string, Record<string, unknown>> = Reflect.get(Object(document), "paths");
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => /^(?:get|put|post|patch|delete)$/.test(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        body: bodyOf(operation),
      })),
  );
}

function bodyOf(operation: unknown): unknown {
  const steps = ["requestBody", "content", "application/json", "schema"];
  return steps.reduce<unknown>((value, name) => Reflect.get(Object(value), name), operation);
}
