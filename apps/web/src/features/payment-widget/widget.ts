import { effects, parseWidgetMessage, type WidgetMessage } from "./widget-messages.ts";

/** The payment of one order through the provider's window. It listens while a window may speak, and no longer. */
export interface Widget {
  /** Opens the pop-up, or brings the open one to the front. Call it inside the click, or the browser blocks it. */
  open(): void;
  /** The shopper follows the plain link: from now on a window that we did not open ourselves may answer. */
  expectLink(): void;
  /** Another payment takes this one's place: nothing is heard of it any more. */
  abandon(): void;
}

/** What the widget uses of a window that it talks with. */
type Popup = Pick<Window, "closed" | "close" | "focus">;

/** What the widget uses of the page's window. */
export interface Page extends Pick<Window, "screenX" | "screenY" | "outerWidth" | "outerHeight"> {
  open(url: URL, name: string, features: string): Popup | null;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

interface Options {
  readonly url: URL;
  readonly page: Page;
  /** Hears what the window says, and of a pop-up that is blocked or closed; but nothing after a success. */
  readonly onMessage: (message: WidgetMessage) => void;
}

const POLL_INTERVAL = 50;
const WIDTH = 500;
const HEIGHT = 700;
const NAME = "Bitcoin-backed loans";

/**
 * Opens the provider's window and listens to it.
 *
 * A message counts only if it comes from exactly the provider's origin and from the window that was opened (or, after
 * {@link Widget.expectLink}, from the first window of that origin that speaks). Success is told once for each window
 * and is final: nothing that the window says or does is told after it.
 */
export function createWidget({ url, page, onMessage }: Options): Widget {
  let source: Popup | MessageEventSource | null = null;
  let linkExpected = false;
  let succeeded = false;
  /** The present window has told how it ended, so that closing it is no news. */
  let concluded = false;
  let poll: ReturnType<typeof setInterval> | undefined;

  function tell(message: WidgetMessage): void {
    if (succeeded) return;
    const effect = effects[message.status];
    succeeded = effect === "paid";
    if (succeeded) linkExpected = false;
    concluded ||= effect !== "none";
    onMessage(message);
  }

  function hear(event: MessageEvent): void {
    if (event.origin !== url.origin || event.source === null) return;
    if (source === null ? !linkExpected : event.source !== source) return;
    const message = parseWidgetMessage(event.data);
    if (message === undefined) {
      console.warn("A message of the payment window could not be read", event.data);
      return;
    }
    if (source === null) adopt(event.source);
    if (effects[message.status] !== "close") return tell(message);
    if (isWindow(source)) source.close();
    onClosed();
  }

  /** Takes a window as the one that we talk with, until it closes. */
  function adopt(opened: Popup | MessageEventSource): void {
    source = opened;
    succeeded = false;
    concluded = false;
    clearInterval(poll);
    poll = setInterval(() => {
      if (isWindow(source) && source.closed) onClosed();
    }, POLL_INTERVAL);
    listen();
  }

  function onClosed(): void {
    letGo();
    if (!concluded) tell({ status: "cancelled", reason: "popup_closed" });
    if (!linkExpected) stopListening();
  }

  function letGo(): void {
    clearInterval(poll);
    source = null;
  }

  /** Adding the same listener again changes nothing. */
  function listen(): void {
    page.addEventListener("message", hear);
  }

  function stopListening(): void {
    page.removeEventListener("message", hear);
  }

  return {
    open() {
      if (isWindow(source) && !source.closed && !succeeded) return source.focus();
      const popup = page.open(url, NAME, featuresFor(page));
      if (popup === null || popup.closed) {
        return onMessage({
          status: "error",
          code: "popup_blocked",
          message: "Popup was blocked by the browser",
        });
      }
      adopt(popup);
      popup.focus();
    },
    expectLink() {
      if (isWindow(source)) source.close();
      letGo();
      linkExpected = true;
      listen();
    },
    abandon() {
      letGo();
      linkExpected = false;
      stopListening();
    },
  };
}

function isWindow(source: Popup | MessageEventSource | null): source is Popup {
  return source !== null && "closed" in source;
}

/** A window of 500 × 700 in the middle of the page's own. */
function featuresFor(page: Page): string {
  const left = Math.round(page.screenX + (page.outerWidth - WIDTH) / 2);
  const top = Math.round(page.screenY + (page.outerHeight - HEIGHT) / 2);
  return `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`;
}
