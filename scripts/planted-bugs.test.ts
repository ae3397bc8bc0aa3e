import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plantedBugs } from "../simulation/planted.ts";

const edits = plantedBugs.flatMap(({ name, edits }) =>
  edits.map(({ file, find }) => ({ name, file, find })),
);

test.each(edits)(
  "the bug of the simulation '$name' is planted at one place of $file",
  ({ file, find }) => {
    const source = readFileSync(join(import.meta.dirname, "..", file), "utf8");
    expect(source.split(find)).toHaveLength(2);
  },
);
