import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Parts of the paths of long test files, for the first run, which has no known durations. */
const longFiles = [
  "/simulation/",
  "/test/money-model/",
  "/test/deploy/rolling-restart",
  "/test/platform/scaled",
  "/test/faults/",
  "/test/fuzz/",
  "/test/platform/upgrade-under-load",
];

/** A test file, and how it ended in its last run. `duration` is in milliseconds. */
interface TimedFile {
  readonly path: string;
  readonly failed: boolean;
  readonly duration: number | undefined;
}

/**
 * Runs files that failed last time first, then the longest, so that a run does not end with one long
 * file on one processor. Vitest's own sequencer runs one project after another, by name.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timed = (spec: TestSpecification): TimedFile => {
      const { duration, failed = false } = this.ctx.cache.getTestSpecificationResult(spec) ?? {};
      return { path: spec.moduleId, failed, duration };
    };
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => compareTimed(timed(a), timed(b)));
  }
}

/** Failed files come first, then those without a known duration, {@link longFiles} before others. */
export function compareTimed(a: TimedFile, b: TimedFile): number {
  if (a.failed !== b.failed) return a.failed ? -1 : 1;
  const [one, other] = [a, b].map(({ duration }) => duration ?? Number.POSITIVE_INFINITY);
  return one === other ? rank(a) - rank(b) : Number(other) - Number(one);
}

function rank({ path }: TimedFile): number {
  const place = longFiles.findIndex((part) => path.includes(part));
  return place < 0 ? longFiles.length : place;
}
