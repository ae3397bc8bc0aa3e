import { parseWidgetMessage, type WidgetResult } from "./widget-messages.ts";

/** The payment of one order through the provider's window. */
export interface Widget {
  /** Opens the pop-up, or brings the open one to the front. Call it inside the click, or the browser blocks it. */
  open(): void;
  /** The shopper has followed the plain link: from now on a window that we did not open ourselves may answer. */
  expectLink(): void;
  /** The page is left: stops listening and polling at once or, while the window is open, when it closes. */
  release(): void;
  /** The page is back before the window has closed. */
  resume(): void;
}

interface Options {
  readonly url: URL;
  /** The page's window. */
  readonly page: Window;
  readonly onResult: (result: WidgetResult) => void;
}

const POLL_INTERVAL = 50;
const WIDTH = 500;
const HEIGHT = 700;
const NAME = "bitcoin-backed-loans";

/**
 * Opens the provider's window and listens to it.
 *
 * A message counts only if it comes from exactly the provider's origin and from the window that was opened (or, after
 * {@link Widget.expectLink}, from the first window of that origin that speaks). Success is told once for each window
 * and is final: nothing that the window says or does is told after it.
 */
export function createWidget({ url, page, onResult }: Options): Widget {
  let source: MessageEventSource | null = null;
  let linkExpected = false;
  let released = false;
  let listening = false;
  let succeeded = false;
  /** The present window has told how it ended, so that closing it is no news. */
  let concluded = false;
  let poll: ReturnType<typeof setInterval> | undefined;

  function tell(result: WidgetResult): void {
    if (succeeded) return;
    succeeded = result.status === "success";
    concluded = true;
    onResult(result);
  }

  function onMessage(event: MessageEvent): void {
    if (event.origin !== url.origin || event.source === null) return;
    if (source !== null ? event.source !== source : !linkExpected) return;
    const message = parseWidgetMessage(event.data);
    if (message === undefined) return;
    if (source === null) adopt(event.source);
    if (message.status !== "done") return tell(message);
    if (isWindow(source)) source.close();
    onClosed();
  }

  /** Takes a window as the one that we talk with, until it closes. */
  function adopt(opened: MessageEventSource): void {
    source = opened;
    succeeded = false;
    concluded = false;
    clearInterval(poll);
    poll = setInterval(() => {
      if (isWindow(source) && source.closed) onClosed();
    }, POLL_INTERVAL);
  }

  function onClosed(): void {
    clearInterval(poll);
    source = null;
    if (!concluded) tell({ status: "cancelled", reason: "popup_closed" });
    if (!linkExpected || succeeded || released) stopListening();
  }

  function listen(): void {
    if (listening) return;
    listening = true;
    page.addEventListener("message", onMessage);
  }

  function stopListening(): void {
    listening = false;
    page.removeEventListener("message", onMessage);
  }

  return {
    open() {
      if (isWindow(source) && !source.closed) return source.focus();
      const popup = page.open(url, NAME, featuresFor(page));
      if (popup === null || popup.closed) {
        return tell({
          status: "error",
          code: "popup_blocked",
          message: "Popup was blocked by the browser",
        });
      }
      adopt(popup);
      listen();
      popup.focus();
    },
    expectLink() {
      linkExpected = true;
      listen();
    },
    release() {
      released = true;
      if (source === null) stopListening();
    },
    resume() {
      released = false;
    },
  };
}

function isWindow(source: MessageEventSource | null): source is Window {
  return source !== null && "closed" in source;
}

/** A window of 500 × 700 in the middle of the page's own. */
function featuresFor(page: Window): string {
  const left = Math.round(page.screenX + (page.outerWidth - WIDTH) / 2);
  const top = Math.round(page.screenY + (page.outerHeight - HEIGHT) / 2);
  return `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`;
}
