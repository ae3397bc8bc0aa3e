import { requiredContext } from "@keepsats/ui/required-context.ts";
import { useEffect, useEffectEvent } from "react";
import { createStore } from "zustand/vanilla";
import { savedText, saveText } from "../../lib/session-storage.ts";
import { logMessage, parseWidgetMessage, type WidgetMessage } from "./widget-protocol.ts";

interface Popup extends Pick<Window, "closed" | "close" | "focus"> {
  /** `href` throws while the window shows a page of another origin. */
  readonly location: Pick<Location, "href">;
}

export interface Page extends Pick<Window, "screenX" | "screenY" | "outerWidth" | "outerHeight"> {
  /**
   * With an empty URL, the window of that name is returned unchanged. If there is none, an empty
   * one is opened.
   */
  open(url: string, name: string, features: string): Popup | null;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

export interface PaymentRequest {
  /** The URL of the pop-up. */
  readonly url: string;
  readonly orderId: string;
  readonly page: Page;
}

/** Called when a pop-up reports success. */
export type ReportListener = (orderId: string, loanId: string) => void;

/** The interval of the check whether the pop-up is closed, in milliseconds. */
const POLL_INTERVAL = 50;
const WIDTH = 500;
const HEIGHT = 700;
const NAME = "Bitcoin-backed loans";

/**
 * The URL of the pop-up that was opened last, until its payment succeeds. It survives a reload, after
 * which the pop-up may still be open.
 */
const openedUrlKey = "keepsats-opened-window";

export type Payments = ReturnType<typeof createPayments>;

/**
 * The payments of this page in the provider's pop-up. They are kept across screens, because the
 * pop-up stays open when the customer leaves the checkout. All payments share one window, so only
 * the payment that was started last listens, while messages may arrive.
 *
 * A message is accepted only from the provider's exact origin and from the window that this page
 * opened or, after `expectLink`, from the first window of that origin that sends one. Success is
 * final: it is reported once for each window, and later messages of that window are ignored.
 */
export function createPayments() {
  /** The URL of the open pop-up whose payment has not succeeded yet; `undefined` without one. */
  const opened = createStore<{ readonly url?: string | undefined }>(() => ({}));
  const listeners = new Set<ReportListener>();
  /** The payment that was started last. */
  let current: PaymentRequest | undefined;
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

  /** Makes this payment the current one. The previous one is abandoned. */
  function start(request: PaymentRequest): void {
    saveText(openedUrlKey, request.url);
    if (current?.url === request.url) return;
    if (current !== undefined) {
      detach();
      stopListening();
    }
    isLinkExpected = mayBeOpen = hasSucceeded = false;
    current = request;
  }

  function report(message: WidgetMessage): void {
    if (hasSucceeded || current === undefined) return;
    hasEnded = true;
    logMessage(message);
    if (message.status !== "success") return;
    hasSucceeded = true;
    isLinkExpected = mayBeOpen = false;
    saveText(openedUrlKey, undefined);
    opened.setState({ url: undefined });
    for (const listener of listeners) listener(current.orderId, message.contractId);
  }

  function onWindowMessage(event: MessageEvent): void {
    if (current === undefined || event.origin !== new URL(current.url).origin) return;
    if (event.source === null) return;
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
  function attach(popup: Popup | MessageEventSource): void {
    source = popup;
    hasSucceeded = false;
    hasEnded = false;
    clearInterval(poll);
    poll = setInterval(() => {
      if (isWindow(source) && source.closed) onClosed();
    }, POLL_INTERVAL);
    listen();
    opened.setState({ url: current?.url });
  }

  function onClosed(): void {
    detach();
    if (!hasEnded) report({ status: "cancelled", reason: "popup_closed" });
    if (!isLinkExpected) stopListening();
  }

  function detach(): void {
    clearInterval(poll);
    source = null;
    opened.setState({ url: undefined });
  }

  /** Idempotent: the browser adds the same listener only once. */
  function listen(): void {
    current?.page.addEventListener("message", onWindowMessage);
  }

  function stopListening(): void {
    current?.page.removeEventListener("message", onWindowMessage);
  }

  return {
    opened,
    /** Calls the listener for each payment that succeeds. Returns a function that unsubscribes. */
    onReported(listener: ReportListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /**
     * Opens the pop-up, or focuses the open one. Call it in the click handler, otherwise the
     * browser blocks the pop-up.
     */
    openPopup(request: PaymentRequest): void {
      start(request);
      if (isWindow(source) && !source.closed && !hasSucceeded) return source.focus();
      const { page, url } = request;
      const popup = (mayBeOpen && findOpened(page)) || page.open(url, NAME, featuresFor(page));
      if (popup === null || popup.closed) {
        return logMessage({
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
    expectLink(request: PaymentRequest): void {
      start(request);
      if (isWindow(source)) source.close();
      detach();
      isLinkExpected = true;
      listen();
    },
    /**
     * Call it when a screen shows a payment. If its pop-up was opened before a reload, messages of
     * it are accepted, and `openPopup` focuses it if it is still open.
     */
    resume(request: PaymentRequest): void {
      if (current?.url === request.url || savedText(openedUrlKey) !== request.url) return;
      start(request);
      isLinkExpected = mayBeOpen = true;
      listen();
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

export const [PaymentsContext, usePayments] = requiredContext<Payments>("payments");

/** Calls the listener for each payment that succeeds. */
export function usePaymentReports(listener: ReportListener): void {
  const payments = usePayments();
  const onReported = useEffectEvent(listener);
  useEffect(
    () => payments.onReported((orderId, loanId) => onReported(orderId, loanId)),
    [payments],
  );
}
