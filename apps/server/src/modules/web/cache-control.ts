import { SECOND, YEAR } from "../../platform/scheduling/clock.ts";

/** The `Cache-Control` of a file whose address changes with its content. */
export const IMMUTABLE = `public, max-age=${YEAR / SECOND}, immutable`;
