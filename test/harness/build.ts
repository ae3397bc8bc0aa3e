import { buildStaleParts } from "../../scripts/stale-builds.ts";

/** Builds the server and the web apps, because the tests start the real build. */
export default buildStaleParts;
