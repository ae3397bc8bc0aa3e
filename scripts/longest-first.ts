import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Parts of the paths of long test files. */
const longFiles = [
  "/simulation/",
  "/test/money-model/",
  "/test/deploy/rolling-restart",
  "/test/platform/scaled",
  "/test/faults/",
  "/test/fuzz/",
  "/test/platform/upgrade-under-load",
];

/**
 * Runs long files first, so that a run does not end with one of them on one processor. Vitest's own
 * sequencer runs one project after another, by name, and the files of a project by their last
 * duration.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((part) => moduleId.includes(part));
  return place < 0 ? longFiles.length : place;
}
