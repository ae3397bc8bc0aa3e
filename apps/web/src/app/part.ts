import { type ComponentType, createElement, use } from "react";

/** A part of the app whose code is fetched when it is first needed. */
export interface Part {
  /** Suspends until the code is there, and throws when it cannot be had. */
  readonly Component: ComponentType;
  /** Fetches the code before it is needed; where that fails it is fetched again when it is. */
  preload(): void;
  /** Has code that could not be had fetched anew the next time it is needed. */
  retry(): void;
}

/** Between two attempts to fetch the same code, in milliseconds. */
const PAUSES = [200, 1_000];

/** @param load imports the module, whose default export is the part; it is called again where it fails */
export function createPart(load: () => Promise<{ readonly default: ComponentType }>): Part {
  let loading: Promise<ComponentType> | undefined;
  let isNeeded = false;
  let hasFailed = false;

  function begin(): Promise<ComponentType> {
    hasFailed = false;
    const attempt = insistently(load);
    loading = attempt;
    attempt.catch(() => {
      hasFailed = true;
      if (!isNeeded) retry();
    });
    return attempt;
  }
  function retry(): void {
    if (hasFailed) loading = undefined;
  }

  return {
    Component() {
      isNeeded = true;
      return createElement(use(loading ?? begin()));
    },
    preload() {
      if (loading === undefined) void begin();
    },
    retry,
  };
}

async function insistently(load: () => Promise<{ readonly default: ComponentType }>): Promise<ComponentType> {
  for (const pause of PAUSES) {
    try {
      return (await load()).default;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return (await load()).default;
}
