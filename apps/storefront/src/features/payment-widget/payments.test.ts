import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPayments, type Page } from "./payments.ts";

const lender = "https://pay.lender.example";
const url = `${lender}/?order_id=1`;
const success = { status: "success", contractId: "c1" };

class ProviderWindow {
  closed = false;
  /** `undefined` while a page of another origin is shown. */
  href: string | undefined;
  readonly location = crossOriginLocation(() => this.href);
  focused = 0;
  close(): void {
    this.closed = true;
  }
  focus(): void {
    this.focused += 1;
  }
}

/** A location that throws while a page of another origin is shown. */
function crossOriginLocation(href: () => string | undefined) {
  return {
    get href(): string {
      const current = href();
      if (current === undefined) throw new DOMException("another origin", "SecurityError");
      return current;
    },
  };
}

/** `opened` has the URLs of the opened windows. */
class FakePage implements Page {
  readonly screenX = 0;
  readonly screenY = 0;
  readonly outerWidth = 1280;
  readonly outerHeight = 860;
  readonly opened: string[] = [];
  readonly listeners = new Set<(event: MessageEvent) => void>();
  popup = new ProviderWindow();
  blocked = false;

  named = "";

  open(address: string, name: string): ProviderWindow | null {
    if (this.blocked) return null;
    this.named = name;
    if (this.popup.closed) {
      this.popup = new ProviderWindow();
      this.popup.href = "about:blank";
    }
    if (address === "") return this.popup;
    this.popup.href = undefined;
    this.opened.push(address);
    return this.popup;
  }

  addEventListener(_type: "message", listener: (event: MessageEvent) => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: "message", listener: (event: MessageEvent) => void): void {
    this.listeners.delete(listener);
  }

  /** Delivers a message to the page. */
  deliver(data: unknown, source: unknown, origin = lender): void {
    const event = new MessageEvent("message", { data, origin });
    Object.defineProperty(event, "source", { value: source });
    for (const listener of this.listeners) listener(event);
  }
}

/** The payment of one order. `results` has the reported and logged messages of its windows. */
function widgetOn(page: FakePage) {
  const results: object[] = [];
  const openings: boolean[] = [];
  const payments = createPayments();
  const request = { url, orderId: "o", page };
  payments.onReported((_, contractId) => results.push({ status: "success", contractId }));
  payments.opened.subscribe((now, before) => {
    if (now.url !== before.url) openings.push(now.url !== undefined);
  });
  vi.spyOn(console, "info").mockImplementation((_, details) => {
    results.push({ status: "cancelled", ...details });
  });
  vi.spyOn(console, "warn").mockImplementation((text, details) => {
    if (text === "Payment error") results.push({ status: "error", ...details });
  });
  const widget = {
    open: () => payments.openPopup(request),
    expectLink: () => payments.expectLink(request),
    /** Resumes a payment whose pop-up was opened before a reload. */
    resume(): void {
      sessionStorage.setItem("keepsats-opened-window", url);
      payments.resume(request);
    },
    startAnother: () => payments.expectLink({ ...request, url: `${lender}/?order_id=2` }),
  };
  return { widget, results, openings };
}

beforeEach(() => {
  vi.useFakeTimers();
  const saved = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, text: string) => saved.set(key, text),
    removeItem: (key: string) => saved.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function pollOnce(): void {
  vi.advanceTimersByTime(50);
}

describe("a message", () => {
  test("is accepted from the window that was opened, at exactly the provider's origin", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(success, page.popup);
    expect(results).toEqual([success]);
  });

  test.each([
    "http://pay.lender.example",
    "https://pay.lender.example:444",
    "https://lender.example",
    "https://pay.lender.example.evil.example",
    "null",
    "",
  ])("is ignored if the opened window is at another origin (%s)", (origin) => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(success, page.popup, origin);
    page.deliver({ status: "done" }, page.popup, origin);
    expect(results).toEqual([]);
    expect(page.popup.closed).toBe(false);
  });

  test("is ignored if it is from another window, or has no window", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(success, new ProviderWindow());
    page.deliver(success, null);
    expect(results).toEqual([]);
  });

  test.each([
    undefined,
    null,
    "success",
    {},
    { status: "success" },
    { status: "success", contractId: "" },
    [success],
  ])("is logged and ignored if it has another format (%j)", (data) => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(data, page.popup);
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      ["A message of the payment window could not be read", data ?? null],
    ]);
    expect(results).toEqual([]);
  });
});

describe("the pop-up", () => {
  test("is focused by a second click, and opened again after it was closed", () => {
    const page = new FakePage();
    const { widget } = widgetOn(page);
    widget.open();
    widget.open();
    expect(page.opened).toHaveLength(1);
    expect(page.named).toBe("Bitcoin-backed loans");
    expect(page.popup.focused).toBe(2);
    page.popup.close();
    pollOnce();
    widget.open();
    expect(page.opened).toHaveLength(2);
  });

  test("is closed on done, and reports a cancellation if it has reported nothing else", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver({ status: "done" }, page.popup);
    expect(page.popup.closed).toBe(true);
    expect(results).toEqual([{ status: "cancelled", reason: "popup_closed" }]);
    expect(page.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("reports a cancellation or an error once, and not its closing afterwards", () => {
    for (const result of [
      { status: "cancelled", reason: "user_cancelled" },
      { status: "error", code: "c", message: "m" },
    ]) {
      const page = new FakePage();
      const { widget, results } = widgetOn(page);
      widget.open();
      page.deliver(result, page.popup);
      page.popup.close();
      pollOnce();
      expect(results).toEqual([result]);
      expect(page.listeners.size).toBe(0);
    }
  });

  test("reports success once, and neither later messages nor its closing", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(success, page.popup);
    page.deliver({ status: "success", contractId: "c2" }, page.popup);
    page.deliver({ status: "cancelled" }, page.popup);
    page.popup.close();
    pollOnce();
    expect(results).toEqual([success]);
    expect(page.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is used again for the next payment if it was left open after a success", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(success, page.popup);
    widget.open();
    expect(page.opened).toHaveLength(2);
    page.deliver({ status: "success", contractId: "c2" }, page.popup);
    expect(results).toEqual([success, { status: "success", contractId: "c2" }]);
  });

  test("is focused and not loaded again if it was opened before a reload", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.resume();
    widget.open();
    expect(page.opened).toEqual([]);
    expect(page.popup.focused).toBe(1);
    page.deliver(success, new ProviderWindow());
    page.deliver(success, page.popup);
    expect(results).toEqual([success]);
  });

  test("is opened again if it was closed since a reload", () => {
    const page = new FakePage();
    const { widget } = widgetOn(page);
    page.popup.close();
    widget.resume();
    widget.open();
    expect(page.opened).toEqual([url]);
    expect(page.named).toBe("Bitcoin-backed loans");
    page.popup.close();
    pollOnce();
    widget.open();
    expect(page.opened).toHaveLength(2);
  });

  test("is used again for the next payment if it has succeeded since a reload", () => {
    const page = new FakePage();
    const { widget } = widgetOn(page);
    widget.resume();
    page.deliver(success, page.popup);
    widget.open();
    expect(page.opened).toEqual([url]);
  });

  test("reports that it is blocked after a reload, and the next click looks for it again", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.resume();
    page.blocked = true;
    widget.open();
    expect(results).toEqual([
      { status: "error", code: "popup_blocked", message: "Popup was blocked by the browser" },
    ]);
    page.blocked = false;
    widget.open();
    expect(page.opened).toEqual([]);
    expect(page.popup.focused).toBe(1);
  });

  test("reports each time that it is blocked, also after a success, and leaves no listener", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.deliver(success, page.popup);
    page.popup.close();
    pollOnce();
    page.blocked = true;
    widget.open();
    const blocked = {
      status: "error",
      code: "popup_blocked",
      message: "Popup was blocked by the browser",
    };
    expect(results).toEqual([success, blocked]);
    expect(page.listeners.size).toBe(0);
  });
});

test("a message in an unknown format does not end the payment", () => {
  const page = new FakePage();
  const { widget, results } = widgetOn(page);
  widget.open();
  page.deliver({ status: "progress" }, page.popup);
  page.deliver(success, page.popup);
  expect(results).toEqual([success]);
});

describe("the plain link", () => {
  test("accepts the first window of the provider's origin that sends a message, and no other", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    const tab = new ProviderWindow();
    widget.expectLink();
    page.deliver(success, tab, "https://evil.example");
    page.deliver({ status: "cancelled" }, tab);
    page.deliver(success, new ProviderWindow());
    page.deliver(success, tab);
    expect(results).toEqual([{ status: "cancelled" }, success]);
  });

  test("works again in another tab after one was closed, until one has succeeded", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.expectLink();
    page.deliver({ status: "done" }, new ProviderWindow());
    const tab = new ProviderWindow();
    page.deliver(success, tab);
    tab.close();
    pollOnce();
    page.deliver({ status: "success", contractId: "c2" }, new ProviderWindow());
    expect(results).toEqual([{ status: "cancelled", reason: "popup_closed" }, success]);
    expect(page.listeners.size).toBe(0);
  });

  test("closes an open pop-up, which is not reported as a cancellation", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    widget.expectLink();
    expect(page.popup.closed).toBe(true);
    page.deliver(success, new ProviderWindow());
    expect(results).toEqual([success]);
  });

  test("accepts no message of a tab while a pop-up is open", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.expectLink();
    widget.open();
    page.deliver(success, new ProviderWindow());
    expect(results).toEqual([]);
  });
});

test("a window counts as open until it is closed, and one that was blocked never does", () => {
  const page = new FakePage();
  const { widget, openings } = widgetOn(page);
  page.blocked = true;
  widget.open();
  expect(openings).toEqual([]);
  page.blocked = false;
  widget.open();
  expect(openings).toEqual([true]);
  page.popup.close();
  pollOnce();
  expect(openings).toEqual([true, false]);
});

test("another payment abandons the current one: its window is ignored, and no timer is left", () => {
  const page = new FakePage();
  const { widget, results } = widgetOn(page);
  widget.open();
  const { popup } = page;
  widget.startAnother();
  expect(vi.getTimerCount()).toBe(0);
  page.deliver(success, new ProviderWindow());
  page.deliver({ status: "success", contractId: "c2" }, popup);
  expect(results).toEqual([success]);
  expect(page.listeners.size).toBe(1);
  popup.close();
  pollOnce();
  expect(results).toEqual([success]);
});
