import fc from "fast-check";

/** Texts that often cause errors. */
export const hostileTexts: readonly string[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\r\nSet-Cookie: a=b",
  "\u001b[31mred\u001b[0m",
  "\u2028",
  "\u202egnirts",
  "\ud800",
  "😀".repeat(100),
  "é".normalize("NFD"),
  "'; DROP TABLE orders; --",
  "' OR 1=1 --",
  "%",
  "_%\\",
  '"',
  "\\",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "#{7*7}",
  "%s%s%n",
  "__proto__",
  "constructor",
  "toString",
  "../../../../etc/passwd",
  "file:///etc/passwd",
  "http://127.0.0.1:1/",
  "-1",
  "1e309",
  "0x10",
  "NaN",
  "null",
  "undefined",
  "true",
  "a".repeat(201),
  "a".repeat(5_000),
  `${"a".repeat(30)}@`,
  "a@b.c",
  "@".repeat(120),
  `${"a.".repeat(120)}@b`,
];

/** Valid values of real clients. */
const usual: readonly string[] = [
  "moka-pot",
  "enamel-mug",
  "Pending",
  "Shipped",
  "Cancelled",
  "00000000-0000-4000-8000-000000000000",
  "1700000000000_00000000-0000-4000-8000-000000000000",
  "Ada Lovelace",
  "ada@example.org",
  "/pictures/moka-pot.svg",
  "https://shop.example/mug.png",
];

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.constantFrom(...usual),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
);

const hostileNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    0.1,
    1.005,
    9_999,
    10_000,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    1e300,
    -1e300,
    5e-324,
  ),
  fc.double({ noNaN: true }),
  fc.integer(),
);

/** Arbitrary JSON values, with a preference for hostile ones. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], { "": "" }),
  fc.jsonValue({ maxDepth: 4 }),
);

/**
 * One mutation of a value: the index of the part to change, and its new value; without one the part
 * is removed.
 */
export interface Spoiling {
  readonly at: number;
  readonly by: { readonly value: unknown } | undefined;
}

export const spoilings: fc.Arbitrary<Spoiling[]> = fc.array(
  fc.record({
    at: fc.nat({ max: 200 }),
    by: fc.option(
      hostileValue.map((value) => ({ value })),
      { nil: undefined, freq: 6 },
    ),
  }),
  { maxLength: 3 },
);

/** Replaces parts of a value by hostile ones, or removes them. */
export function spoil(value: unknown, ways: readonly Spoiling[]): unknown {
  return ways.reduce(spoilOnce, value);
}

function spoilOnce(value: unknown, { at, by }: Spoiling): unknown {
  const places = placesIn(value);
  if (places.length === 0) return by?.value;
  const path = places[at % places.length] ?? [];
  return changed(value, path, by);
}

/** The path to a part of a value. */
export type Path = readonly (string | number)[];

/** The paths to all parts of a value, itself included. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, part]) => placesIn(part, [...path, key]))];
}

/** The value with one part changed or removed. */
export function changed(value: unknown, path: Path, by: Spoiling["by"]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by?.value;
  if (Array.isArray(value)) {
    if (rest.length === 0 && by === undefined) return value.toSpliced(Number(key), 1);
    return value.with(Number(key), changed(value[Number(key)], rest, by));
  }
  const copy = { ...Object(value) };
  if (rest.length === 0 && by === undefined) delete copy[key];
  else copy[key] = changed(copy[key], rest, by);
  return copy;
}
