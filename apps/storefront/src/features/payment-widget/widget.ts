import { parseWidgetMessage, type WidgetMessage } from "./widget-protocol.ts";

interface Popup extends Pick<Window, "closed" | "close" | "focus"> {
  /** `href` throws while the window shows a page of another origin. */
  readonly location: Pick<Location, "href">;
}

export interface Page extends Pick<Window, "screenX" | "screenY" | "outerWidth" | "outerHeight"> {
  /**
   * With an empty URL, the window of that name is returned unchanged. If there is none, an empty
   * one is opened.
   */
  open(url: URL | "", name: string, features: string): Popup | null;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

interface Options {
  readonly url: URL;
  readonly page: Page;
  /**
   * Called with each message, and when the pop-up is blocked or closed; not after the success of a
   * window.
   */
  readonly onMessage: (message: WidgetMessage) => void;
  /** Called when a window is opened or has sent its first message, and when it no longer counts. */
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The interval of the check whether the pop-up is closed, in milliseconds. */
const POLL_INTERVAL = 50;
const WIDTH = 500;
const HEIGHT = 700;
const NAME = "Bitcoin-backed loans";

export type Widget = ReturnType<typeof createWidget>;

/**
 * The payment of one order in the provider's pop-up. It listens only while messages may arrive.
 *
 * A message is accepted only from the provider's exact origin and from the window that this page
 * opened or, after `expectLink`, from the first window of that origin that sends one. Success is
 * final: it is reported once for each window, and later messages of that window are ignored.
 */
export function createWidget({ url, page, onMessage, onOpenChange }: Options) {
  let source: Popup | MessageEventSource | null = null;
  let isLinkExpected = false;
  let hasSucceeded = false;
  /**
   * The current window has reported the end of the payment, so closing it is not a cancellation.
   */
  let hasEnded = false;
  /** The pop-up may have been opened before a reload, with a payment that has not ended. */
  let mayBeOpen = false;
  let poll: ReturnType<typeof setInterval> | undefined;

  function report(message: WidgetMessage): void {
    if (hasSucceeded) return;
    hasSucceeded = message.status === "success";
    if (hasSucceeded) isLinkExpected = mayBeOpen = false;
    hasEnded = true;
    onMessage(message);
  }

  function onWindowMessage(event: MessageEvent): void {
    if (event.origin !== url.origin || event.source === null) return;
    if (source === null ? !isLinkExpected : event.source !== source) return;
    const message = parseWidgetMessage(event.data);
    if (message === undefined) {
      console.warn("A message of the payment window could not be read", event.data);
      return;
    }
    if (source === null) attach(event.source);
    if (message.status !== "done") return report(message);
    if (isWindow(source)) source.close();
    onClosed();
  }

  /** Accepts messages of this window only, until it closes. */
  function attach(opened: Popup | MessageEventSource): void {
    source = opened;
    hasSucceeded = false;
    hasEnded = false;
    clearInterval(poll);
    poll = setInterval(() => {
      if (isWindow(source) && source.closed) onClosed();
    }, POLL_INTERVAL);
    listen();
    onOpenChange(true);
  }

  function onClosed(): void {
    detach();
    if (!hasEnded) report({ status: "cancelled", reason: "popup_closed" });
    if (!isLinkExpected) stopListening();
  }

  function detach(): void {
    clearInterval(poll);
    source = null;
    onOpenChange(false);
  }

  /** Idempotent: the browser adds the same listener only once. */
  function listen(): void {
    page.addEventListener("message", onWindowMessage);
  }

  function stopListening(): void {
    page.removeEventListener("message", onWindowMessage);
  }

  return {
    /**
     * Opens the pop-up, or focuses the open one. Call it in the click handler, otherwise the
     * browser blocks the pop-up.
     */
    open(): void {
      if (isWindow(source) && !source.closed && !hasSucceeded) return source.focus();
      const popup = (mayBeOpen && findOpened(page)) || page.open(url, NAME, featuresFor(page));
      if (popup === null || popup.closed) {
        return onMessage({
          status: "error",
          code: "popup_blocked",
          message: "Popup was blocked by the browser",
        });
      }
      mayBeOpen = false;
      attach(popup);
      popup.focus();
    },
    /**
     * Accepts messages of a window that this page has not opened. Call it when the customer clicks
     * the plain link.
     */
    expectLink(): void {
      if (isWindow(source)) source.close();
      detach();
      isLinkExpected = true;
      listen();
    },
    /**
     * Like `expectLink`, after a reload: `open` focuses the pop-up that was opened before, if it is
     * still open.
     */
    resume(): void {
      isLinkExpected = mayBeOpen = true;
      listen();
    },
    /** Stops listening, because another payment is started. */
    abandon(): void {
      detach();
      isLinkExpected = mayBeOpen = false;
      stopListening();
    },
  };
}

/**
 * Finds the open pop-up by its name. If there is none, an empty one is opened, which the next
 * `open` navigates without being blocked.
 */
function findOpened(page: Page): Popup | null {
  const popup = page.open("", NAME, featuresFor(page));
  try {
    return popup?.location.href === "about:blank" ? null : popup;
  } catch {
    return popup;
  }
}

function isWindow(source: Popup | MessageEventSource | null): source is Popup {
  return source !== null && "closed" in source;
}

/** 500 × 700 pixels in the centre of the page's window. */
function featuresFor(page: Page): string {
  const left = Math.round(page.screenX + (page.outerWidth - WIDTH) / 2);
  const top = Math.round(page.screenY + (page.outerHeight - HEIGHT) / 2);
  return `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`;
}
