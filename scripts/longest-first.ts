import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The projects whose files take longest, for the first run, which has no known durations. */
const longProjects = ["simulation", "faults", "fuzz"];

/** A test file, and how it ended in its last run. `duration` is in milliseconds. */
interface TimedFile {
  readonly project: string;
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
      return { project: spec.project.name, failed, duration };
    };
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => compareTimed(timed(a), timed(b)));
  }
}

/** Failed files come first, then those without a known duration, the long projects before others. */
export function compareTimed(a: TimedFile, b: TimedFile): number {
  if (a.failed !== b.failed) return a.failed ? -1 : 1;
  const [one, other] = [a, b].map(({ duration }) => duration ?? Number.POSITIVE_INFINITY);
  return one === other ? rank(a) - rank(b) : Number(other) - Number(one);
}

function rank({ project }: TimedFile): number {
  const place = longProjects.indexOf(project);
  return place < 0 ? longProjects.length : place;
}
