import { type ComponentType, createElement, use } from "react";

/** A part of the app whose code is fetched when it is first needed. */
export interface Part<Props> {
  /** Suspends until the code is there, and throws when it cannot be had. */
  readonly Component: ComponentType<Props>;
  /** Fetches the code before it is needed; where that fails it is fetched again when it is. */
  preload(): void;
  /** Has code that could not be had fetched anew the next time it is needed. */
  retry(): void;
}

interface PartModule<Props> {
  readonly default: ComponentType<Props>;
}

/** Before the second and the third attempt to fetch the same code, in milliseconds. */
const PAUSES = [0, 1_000];

/**
 * @param load imports the module, as in `() => import("./routes/checkout.tsx")`. Browsers remember for the life of the page
 *   that a module could not be loaded, so every further attempt imports it under another address: `checkout-x1.js?again=1`.
 */
export function createPart<Props extends object>(load: () => Promise<PartModule<Props>>): Part<Props> {
  const fetchModule = createFetch(load);
  let loading: Promise<PartModule<Props>> | undefined;
  let isNeeded = false;
  let hasFailed = false;

  function begin(): Promise<PartModule<Props>> {
    hasFailed = false;
    const attempt = insistently(fetchModule);
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
    Component(props) {
      isNeeded = true;
      return createElement(use(loading ?? begin()).default, props);
    },
    preload() {
      if (loading === undefined) void begin();
    },
    retry,
  };
}

async function insistently<Module>(fetchModule: () => Promise<Module>): Promise<Module> {
  for (const pause of PAUSES) {
    try {
      return await fetchModule();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return fetchModule();
}

/** The address in `import("./checkout-x1.js")`, which is what the build makes of it. */
const importedAddress = /\bimport\(\s*["'`]([^"'`]+)["'`]/;

/** Imports a module: the first time as it is written, then under a new address each time. */
function createFetch<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let attempts = 0;
  return async () => {
    attempts += 1;
    const [, address] = importedAddress.exec(String(load)) ?? [];
    if (attempts === 1 || address === undefined) return load();
    const url = new URL(address, import.meta.url);
    url.searchParams.set("again", String(attempts - 1));
    return import(/* @vite-ignore */ url.href);
  };
}
