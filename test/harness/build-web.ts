import { buildIsStale } from "../../scripts/web-build.ts";

/** The tests serve the real build. */
export default async function setup(): Promise<void> {
  if (await buildIsStale()) await import("../../scripts/build.ts");
}
