import { requiredContext } from "@keepsats/ui/required-context.ts";
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useState,
} from "react";

/** The current entry of the browser's history. */
export interface Location {
  readonly pathname: string;
  /** The query with its question mark; empty without one. */
  readonly search: string;
  /** The fragment with its number sign; empty without one. */
  readonly hash: string;
  /** The state of the entry; see {@link NavigateOptions}. */
  readonly state: unknown;
  /** The last navigation; `pop` is Back, Forward and an edit of the fragment. */
  readonly action: "load" | "push" | "replace" | "pop";
}

interface NavigateOptions {
  /** Replaces the current entry of the history. */
  readonly replace?: boolean;
  /** Is kept with the entry, also across a reload. */
  readonly state?: object | undefined;
}

/** @param to a URL of this shop, such as `/checkout` */
export type Navigate = (to: string, options?: NavigateOptions) => void;

interface Router {
  readonly location: Location;
  readonly navigate: Navigate;
}

const [RouterContext, useRouter] = requiredContext<Router>("router");

interface RouterProps {
  /** The path of a prerendered page. */
  readonly path?: string;
  readonly children: ReactNode;
}

/**
 * Renders the children again when the URL changes, in a transition: a screen stays until the code
 * of the next one has loaded.
 */
export function Router({ path, children }: RouterProps) {
  const [location, setLocation] = useState(() =>
    path === undefined ? currentLocation("load") : { ...prerendered, pathname: path },
  );
  const navigate: Navigate = (to, { replace = false, state = null } = {}) => {
    if (replace) window.history.replaceState(state, "", to);
    else window.history.pushState(state, "", to);
    startTransition(() => setLocation(currentLocation(replace ? "replace" : "push")));
  };
  useEffect(() => {
    const onPop = () => startTransition(() => setLocation(currentLocation("pop")));
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, []);
  return <RouterContext value={{ location, navigate }}>{children}</RouterContext>;
}

function currentLocation(action: Location["action"]): Location {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash, state: window.history.state, action };
}

const prerendered = { search: "", hash: "", state: null, action: "load" } as const;

export function useLocation(): Location {
  return useRouter().location;
}

export function useNavigate(): Navigate {
  return useRouter().navigate;
}

interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** Such as `/checkout`. */
  readonly to: string;
  /** The state of the new history entry. */
  readonly state?: object;
}

/** A link within this shop. A link to the current URL adds no history entry. */
export function Link({ to, state, onClick, ...props }: LinkProps) {
  const navigate = useNavigate();

  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    const { metaKey, ctrlKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigate(to, { state, replace: event.currentTarget.href === window.location.href });
  }
  return <a {...props} href={to} onClick={follow} />;
}
