import { type ComponentType, createElement, use } from "react";

/**
 * A component whose code is loaded when it is first rendered, or earlier by
 * {@link LazyComponent.preload}.
 */
export interface LazyComponent<Props> {
  /** Suspends until the code is loaded. Throws when all attempts to load it have failed. */
  readonly Component: ComponentType<Props>;
  /**
   * Starts loading the code. If that fails, rendering the component loads it again.
   *
   * @returns a promise that is fulfilled when the code has loaded or failed to load
   */
  preload(): Promise<void>;
}

interface ComponentModule<Props> {
  readonly default: ComponentType<Props>;
}

/** The delays before the second and the third attempt to load a module, in milliseconds. */
const RETRY_DELAYS = [0, 1_000];

/**
 * A function for each component whose code has failed to load and is not loading again. Components
 * are created where they are used, so no other place knows all of them.
 */
const failedLoads = new Set<() => void>();

/** Makes all components whose code failed to load load it again when they are rendered next. */
export function retryFailedLoads(): void {
  for (const retry of failedLoads) retry();
}

/**
 * A browser does not fetch a module again that has failed to load, until the page is reloaded. Each
 * retry therefore uses another URL: `checkout-x1.js?again=1`.
 *
 * @param load imports the module, as in `() => import("./routes/checkout.tsx")`
 */
export function createLazyComponent<Props extends object>(
  load: () => Promise<ComponentModule<Props>>,
): LazyComponent<Props> {
  const importModule = createImporter(load);
  let loading: Promise<ComponentModule<Props>> | undefined;
  let isRendered = false;

  function startLoading(): Promise<ComponentModule<Props>> {
    const started = withRetries(importModule);
    loading = started;
    started.catch(() => {
      failedLoads.add(retry);
      if (!isRendered) retry();
    });
    return started;
  }
  function retry(): void {
    if (failedLoads.delete(retry)) loading = undefined;
  }

  return {
    Component(props) {
      isRendered = true;
      return createElement(use(loading ?? startLoading()).default, props);
    },
    async preload() {
      await Promise.allSettled([loading ?? startLoading()]);
    },
  };
}

async function withRetries<Module>(importModule: () => Promise<Module>): Promise<Module> {
  for (const delay of RETRY_DELAYS) {
    try {
      return await importModule();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return importModule();
}

/** Finds the URL in the built code of a `load` function, such as `import("./checkout-x1.js")`. */
const importedUrl = /\bimport\(\s*["'`]([^"'`]+)["'`]/;

/**
 * @returns a function that imports the module: the first call by its own URL, each further call by
 *   a new one
 */
function createImporter<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let attempts = 0;
  return async () => {
    attempts += 1;
    const [, path] = importedUrl.exec(String(load)) ?? [];
    if (attempts === 1 || path === undefined) return load();
    const url = new URL(path, import.meta.url);
    url.searchParams.set("again", String(attempts - 1));
    return import(/* @vite-ignore */ url.href);
  };
}
