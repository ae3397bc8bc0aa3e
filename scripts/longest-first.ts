import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The projects whose files take longest, for a run that knows no durations yet. */
const longProjects = ["simulation", "faults", "fuzz"];

/** A test file, with what it took in an earlier run, in milliseconds. */
interface TimedFile {
  readonly project: string;
  readonly duration: number | undefined;
}

/**
 * Orders the test files of all projects by their last known duration, longest first, so that a run does not end with one long
 * file on one processor while the others are idle. Vitest's own sequencer runs one project after another, by name.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timed = (spec: TestSpecification): TimedFile => ({
      project: spec.project.name,
      duration: this.ctx.cache.getTestSpecificationResult(spec)?.duration,
    });
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => compareTimed(timed(a), timed(b)));
  }
}

/** A file without a known duration is before all others, and of several such files those of the long projects are first. */
export function compareTimed(a: TimedFile, b: TimedFile): number {
  const [one, other] = [a, b].map(({ duration }) => duration ?? Number.POSITIVE_INFINITY);
  return one === other ? rank(a) - rank(b) : Number(other) - Number(one);
}

function rank({ project }: TimedFile): number {
  const place = longProjects.indexOf(project);
  return place < 0 ? longProjects.length : place;
}
