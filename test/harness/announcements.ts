import type { Announce } from "../../apps/server/src/outbox/outbox.ts";

/** Tells nobody: for tests that are not about what others are told. */
export const noAnnouncements: Announce = async () => {};
