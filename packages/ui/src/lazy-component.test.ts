import { createElement } from "react";
import { renderToReadableStream } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLazyComponent, type LazyComponent, retryFailedLoads } from "./lazy-component.ts";

beforeEach(() => {
  vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
});
afterEach(() => {
  vi.useRealTimers();
});

/** A module with a component that renders "loaded". It fails to load until it is fixed. */
function aModule() {
  let isFixed = false;
  const load = vi.fn(async () => {
    if (!isFixed) throw new Error("not loaded");
    return { default: () => "loaded" };
  });
  return {
    load,
    fix() {
      isFixed = true;
    },
  };
}

async function render({ Component }: LazyComponent<object>): Promise<string> {
  const stream = await renderToReadableStream(createElement(Component), { onError() {} });
  return new Response(stream).text();
}

test("retryFailedLoads loads every failed component again", async () => {
  const module = aModule();
  const components = [createLazyComponent(module.load), createLazyComponent(module.load)];
  for (const component of components) await expect(render(component)).rejects.toThrow("not loaded");
  module.fix();
  for (const component of components) await expect(render(component)).rejects.toThrow("not loaded");
  retryFailedLoads();
  for (const component of components) expect(await render(component)).toBe("loaded");
});

test("a loaded component is not loaded again", async () => {
  const module = aModule();
  module.fix();
  const component = createLazyComponent(module.load);
  expect(await render(component)).toBe("loaded");

  const { length: calls } = module.load.mock.calls;
  retryFailedLoads();
  expect(await render(component)).toBe("loaded");
  expect(module.load).toHaveBeenCalledTimes(calls);
});

test("loading is tried three times; a failed preload is forgotten when the component is rendered", async () => {
  const module = aModule();
  const component = createLazyComponent(module.load);
  component.preload();
  await vi.waitFor(() => expect(module.load).toHaveBeenCalledTimes(3));
  await new Promise(setImmediate);
  module.fix();
  expect(await render(component)).toBe("loaded");
});
