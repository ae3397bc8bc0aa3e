/** A click, and the link that was clicked. */
interface Click {
  readonly button: number;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

interface ClickedLink {
  readonly href: string;
  readonly target: string;
  readonly download: string;
}

/**
 * The path to which a click on a link leaves the present screen in this tab; `undefined` if it does
 * not.
 *
 * @param here the address of the present screen
 */
export function leavingPath(click: Click, link: ClickedLink, here: string): string | undefined {
  const opensElsewhere = click.metaKey || click.ctrlKey || click.shiftKey || click.altKey;
  if (click.button !== 0 || opensElsewhere || link.download !== "") return undefined;
  if (link.target !== "" && link.target !== "_self") return undefined;
  const [from, to] = [URL.parse(here), URL.parse(link.href)];
  if (from === null || to === null || to.origin !== from.origin || to.pathname === from.pathname)
    return undefined;
  return `${to.pathname}${to.search}${to.hash}`;
}
