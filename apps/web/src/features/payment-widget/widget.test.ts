import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWidget, type Page } from "./widget.ts";
import type { WidgetMessage } from "./widget-messages.ts";

const lender = "https://pay.lender.example";
const url = new URL("/?order_id=1", lender);
const success = { status: "success", contractId: "c1" };

/** A window of the provider's, as far as the widget knows it. */
class ProviderWindow {
  closed = false;
  focused = 0;
  close(): void {
    this.closed = true;
  }
  focus(): void {
    this.focused += 1;
  }
}

/** The page's window, with the windows that it has opened. */
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

  open(address: URL, name: string): ProviderWindow | null {
    if (this.blocked) return null;
    this.named = name;
    if (this.popup.closed) this.popup = new ProviderWindow();
    this.opened.push(address.href);
    return this.popup;
  }

  addEventListener(_type: "message", listener: (event: MessageEvent) => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: "message", listener: (event: MessageEvent) => void): void {
    this.listeners.delete(listener);
  }

  /** A message arrives. */
  hear(data: unknown, source: unknown, origin = lender): void {
    const event = new MessageEvent("message", { data, origin });
    Object.defineProperty(event, "source", { value: source });
    for (const listener of this.listeners) listener(event);
  }
}

function widgetOn(page: FakePage) {
  const results: WidgetMessage[] = [];
  const widget = createWidget({ url, page, onMessage: (message) => results.push(message) });
  return { widget, results };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the poll finds when it looks the next time. */
function pollOnce(): void {
  vi.advanceTimersByTime(50);
}

describe("a message counts", () => {
  test("from the window that was opened, at exactly the provider's origin", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(success, page.popup);
    expect(results).toEqual([success]);
  });

  test.each([
    "http://pay.lender.example",
    "https://pay.lender.example:444",
    "https://lender.example",
    "https://pay.lender.example.evil.example",
    "null",
    "",
  ])("not from the opened window while it shows another origin (%s)", (origin) => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(success, page.popup, origin);
    page.hear({ status: "done" }, page.popup, origin);
    expect(results).toEqual([]);
    expect(page.popup.closed).toBe(false);
  });

  test("not from another window, and not from none", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(success, new ProviderWindow());
    page.hear(success, null);
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
  ])("not in another shape (%j), which is logged", (data) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(data, page.popup);
    expect(warn.mock.calls).toEqual([["A message of the payment window could not be read", data ?? null]]);
    expect(results).toEqual([]);
  });
});

describe("the pop-up", () => {
  test("is brought to the front by a second click, and opened anew after it was closed", () => {
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

  test("is closed on done, which is a cancellation when nothing was told before", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear({ status: "done" }, page.popup);
    expect(page.popup.closed).toBe(true);
    expect(results).toEqual([{ status: "cancelled", reason: "popup_closed" }]);
    expect(page.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("tells a cancellation or an error once, and closing it afterwards is no news", () => {
    for (const result of [
      { status: "cancelled", reason: "user_cancelled" },
      { status: "error", code: "c", message: "m" },
    ]) {
      const page = new FakePage();
      const { widget, results } = widgetOn(page);
      widget.open();
      page.hear(result, page.popup);
      page.popup.close();
      pollOnce();
      expect(results).toEqual([result]);
      expect(page.listeners.size).toBe(0);
    }
  });

  test("tells success once; what it says and does afterwards is not told", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(success, page.popup);
    page.hear({ status: "success", contractId: "c2" }, page.popup);
    page.hear({ status: "cancelled" }, page.popup);
    page.popup.close();
    pollOnce();
    expect(results).toEqual([success]);
    expect(page.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that has succeeded and was left open serves the next attempt", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(success, page.popup);
    widget.open();
    expect(page.opened).toHaveLength(2);
    page.hear({ status: "success", contractId: "c2" }, page.popup);
    expect(results).toEqual([success, { status: "success", contractId: "c2" }]);
  });

  test("that is blocked is told each time, also after a success, and nothing is left listening", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    page.hear(success, page.popup);
    page.popup.close();
    pollOnce();
    page.blocked = true;
    widget.open();
    const blocked = { status: "error", code: "popup_blocked", message: "Popup was blocked by the browser" };
    expect(results).toEqual([success, blocked]);
    expect(page.listeners.size).toBe(0);
  });
});

test("a message that is not understood does not end the payment", () => {
  const page = new FakePage();
  const { widget, results } = widgetOn(page);
  widget.open();
  vi.spyOn(console, "warn").mockImplementation(() => {});
  page.hear({ status: "progress" }, page.popup);
  page.hear(success, page.popup);
  expect(results).toEqual([success]);
});

describe("the plain link", () => {
  test("has the first window of the provider's origin answer, and only that one", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    const tab = new ProviderWindow();
    widget.expectLink();
    page.hear(success, tab, "https://evil.example");
    page.hear({ status: "cancelled" }, tab);
    page.hear(success, new ProviderWindow());
    page.hear(success, tab);
    expect(results).toEqual([{ status: "cancelled" }, success]);
  });

  test("stays good for another tab when one is closed, until one has succeeded", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.expectLink();
    page.hear({ status: "done" }, new ProviderWindow());
    const tab = new ProviderWindow();
    page.hear(success, tab);
    tab.close();
    pollOnce();
    page.hear({ status: "success", contractId: "c2" }, new ProviderWindow());
    expect(results).toEqual([{ status: "cancelled", reason: "popup_closed" }, success]);
    expect(page.listeners.size).toBe(0);
  });

  test("takes the place of an open pop-up, which is no cancellation", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.open();
    widget.expectLink();
    expect(page.popup.closed).toBe(true);
    page.hear(success, new ProviderWindow());
    expect(results).toEqual([success]);
  });

  test("lets no tab speak while a pop-up is open", () => {
    const page = new FakePage();
    const { widget, results } = widgetOn(page);
    widget.expectLink();
    widget.open();
    page.hear(success, new ProviderWindow());
    expect(results).toEqual([]);
  });
});

test("a payment that is abandoned hears and polls nothing more", () => {
  const page = new FakePage();
  const { widget, results } = widgetOn(page);
  widget.expectLink();
  widget.open();
  widget.abandon();
  page.hear(success, page.popup);
  expect(results).toEqual([]);
  expect(page.listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
