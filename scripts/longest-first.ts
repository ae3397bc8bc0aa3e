import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The projects whose files take longest, for a run that knows no durations yet. */
const longProjects = ["simulation", "faults", "fuzz"];

/**
 * A test file, with what it took in an earlier run, in milliseconds, and whether it failed then.
 */
interface TimedFile {
  readonly project: string;
  readonly failed: boolean;
  readonly duration: number | undefined;
}

/**
 * Orders the test files of all projects by their last known duration, longest first, so that a run
 * does not end with one long file on one processor while the others are idle; those that failed
 * last time are before all others. Vitest's own sequencer runs one project after another, by name.
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

/**
 * A file that failed is before all others, then comes one without a known duration; of several such
 * files those of the long projects are first.
 */
export function compareTimed(a: TimedFile, b: TimedFile): number {
  if (a.failed !== b.failed) return a.failed ? -1 : 1;
  const [one, other] = [a, b].map(({ duration }) => duration ?? Number.POSITIVE_INFINITY);
  return one === other ? rank(a) - rank(b) : Number(other) - Number(one);
}

function rank({ project }: TimedFile): number {
  const place = longProjects.indexOf(project);
  return place < 0 ? longProjects.length : place;
}
