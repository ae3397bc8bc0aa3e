import { afterAll, expect, vi } from "vitest";

// A fault often lets a test wait until its timeout: unit tests take milliseconds, so theirs is short.
vi.setConfig({ testTimeout: 5_000 });
if (expect.getState().testPath?.includes("/test/")) {
  vi.setConfig({ testTimeout: 60_000 });
  const { endAll } = await import("../../test/harness/server-process.ts");
  afterAll(endAll);
}
