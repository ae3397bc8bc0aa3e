import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPayments, type Page } from "./payments.ts";

const lender = "https://pay.lender.example";
const url = `${lender}/?order_id=1`;

/**
 * The page's window. The pop-up stays open across reloads; `loaded` has the URLs that were loaded
 * into it.
 */
class FakePage implements Page {
  readonly screenX = 0;
  readonly screenY = 0;
  readonly outerWidth = 1280;
  readonly outerHeight = 860;
  readonly loaded: string[] = [];
  readonly popup = { closed: false, close() {}, focus() {}, location: { href: "" } };
  #listener: ((event: MessageEvent) => void) | undefined;

  open(address: string) {
    if (address !== "") this.loaded.push(address);
    return this.popup;
  }
  addEventListener(_type: "message", listener: (event: MessageEvent) => void): void {
    this.#listener = listener;
  }
  removeEventListener(): void {
    this.#listener = undefined;
  }
  reportSuccess(contractId: string): void {
    const event = new MessageEvent("message", {
      data: { status: "success", contractId },
      origin: lender,
    });
    Object.defineProperty(event, "source", { value: this.popup });
    this.#listener?.(event);
  }
}

/** Resumes payments as the page does after it has loaded. */
function loadPage(page: FakePage) {
  const payments = createPayments();
  const request = { url, orderId: "o", page };
  payments.resume(request);
  return { open: () => payments.openPopup(request), opened: () => payments.opened.getState().url };
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
  vi.useRealTimers();
});

test("a pop-up whose payment has not succeeded is not loaded again after a reload", () => {
  const page = new FakePage();
  loadPage(page).open();
  loadPage(page).open();
  loadPage(page).open();
  expect(page.loaded).toEqual([url]);
});

test("a pop-up whose payment has succeeded is loaded again after a reload, for another payment", () => {
  const page = new FakePage();
  loadPage(page).open();
  page.reportSuccess("c1");
  const reloaded = loadPage(page);
  expect(page.loaded).toHaveLength(1);
  reloaded.open();
  expect(page.loaded).toEqual([url, url]);
  loadPage(page).open();
  expect(page.loaded).toHaveLength(2);
});

test("a payment is awaited while its pop-up is open, until it has succeeded", () => {
  const page = new FakePage();
  const payment = loadPage(page);
  expect(payment.opened()).toBeUndefined();
  payment.open();
  expect(payment.opened()).toBe(url);
  page.reportSuccess("c1");
  expect(payment.opened()).toBeUndefined();
});

test("a pop-up of another order is loaded again after a reload", () => {
  const page = new FakePage();
  loadPage(page).open();
  const payments = createPayments();
  const other = { url: `${lender}/?order_id=2`, orderId: "p", page };
  payments.resume(other);
  payments.openPopup(other);
  expect(page.loaded).toEqual([url, other.url]);
});
