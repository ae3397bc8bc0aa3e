import type { ComponentProps, MouseEvent } from "react";
import { type To, useHref, useLinkClickHandler } from "react-router";

interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  readonly to: To;
  /** The state of the new history entry. */
  readonly state?: object;
}

/**
 * A link to a screen of the shop. The link of react-router does more, such as prefetching what a
 * server renders, which would be 2 KB of every page.
 */
export function Link({ to, state, onClick, ...props }: LinkProps) {
  const href = useHref(to);
  const open = useLinkClickHandler(to, { state });

  function handleClick(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (!event.defaultPrevented) open(event);
  }
  return <a {...props} href={href} onClick={handleClick} />;
}
