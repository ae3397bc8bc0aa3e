import { afterAll, expect, inject, vi } from "vitest";

const path = expect.getState().testPath ?? "";
// With many faults a test waits until its timeout, so this is made as short as the test allows.
vi.setConfig({ testTimeout: inject("testTimeouts")[path] ?? 120_000 });
if (path.includes("/test/")) {
  const { endAll } = await import("../../test/harness/server-process.ts");
  afterAll(endAll);
}
