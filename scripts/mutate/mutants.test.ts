import { expect, test } from "vitest";
import { findMutants, mutate, sample } from "./mutants.ts";

function faultsOf(source: string): string[] {
  return findMutants("example.ts", source).map((mutant) => mutate(source, mutant));
}

test.each([
  ["f(a < b);", ["f(a <= b);", ";"]],
  ["f(a && !b);", ["f(a || !b);", "f(a && b);", ";"]],
  [
    "const x = a ? 1 : 20;",
    [
      "const x = true ? 1 : 20;",
      "const x = false ? 1 : 20;",
      "const x = a ? 2 : 20;",
      "const x = a ? 1 : 0;",
    ],
  ],
  [
    "const x = async () => { await f(); };",
    [
      "const x = async () => {};",
      "const x = async () => { ; };",
      "const x = async () => { f(); };",
    ],
  ],
  ["const x = [a].filter(f);", ["const x = [a];", "const x = [].filter(f);"]],
  ["const x = { 'key': 'value' };", ["const x = { 'key': \"\" };"]],
  ["const x = /^a$/u;", ["const x = /a$/u;", "const x = /^a/u;"]],
  [
    "if (a) throw new Error('text');",
    ["if (true) throw new Error('text');", "if (false) throw new Error('text');", "if (a) ;"],
  ],
])("the faults of %s", (source, expected) => {
  expect(faultsOf(source).toSorted()).toEqual(expected.toSorted());
});

test.each([
  "import a from 'a';",
  "export { a } from 'a';",
  "export * from 'a';",
  "interface A { readonly kind: 'a' | 7 }",
  "type A = 'a' | 7;",
  "const x = a as 'a';",
  "const x = sql`select 1`;",
  "const x = new RangeError('text');",
  "timer.unref();",
])("there are no faults in %s", (source) => {
  expect(faultsOf(source)).toEqual([]);
});

test("a source that cannot be parsed is refused", () => {
  expect(() => findMutants("example.ts", "const = ;")).toThrow(/example.ts/);
});

test("a mutant is identified by its line, and by its number among equal ones", () => {
  const mutants = findMutants("example.ts", "\n  g(0, 0);\n").filter(
    ({ original }) => original === "0",
  );
  expect(mutants.map(({ line, text, repetition }) => [line, text, repetition])).toEqual([
    [2, "g(0, 0);", 0],
    [2, "g(0, 0);", 1],
  ]);
});

test("a sample is the same for the same seed, and for most mutants also after the source has changed", () => {
  const source = Array.from({ length: 100 }, (_, index) => `f(${index});`).join("\n");
  const texts = (text: string, seed: string) =>
    sample(findMutants("example.ts", text), 20, seed).map(
      ({ text, original }) => `${text} ${original}`,
    );
  expect(texts(source, "1")).toHaveLength(20);
  expect(texts(source, "1")).toEqual(texts(source, "1"));
  expect(texts(source, "2")).not.toEqual(texts(source, "1"));
  const kept = texts(`f(x);\n${source}`, "1").filter((one) => texts(source, "1").includes(one));
  expect(kept.length).toBeGreaterThanOrEqual(18);
});
