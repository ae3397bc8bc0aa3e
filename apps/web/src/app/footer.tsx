import type { ShopTextName } from "@keepsats/protocol";
import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { useState } from "react";
import { LoadingBoundary } from "../ui/loading-boundary.tsx";
import { Modal } from "../ui/modal.tsx";
import { contactLink } from "./contact-link.ts";
import { usePageConfig } from "./page-config.ts";

const shopText = createLazyComponent(() => import("./shop-text.tsx"));

const titles: Readonly<Record<ShopTextName, string>> = {
  delivery: "Delivery",
  returns: "Returns",
  terms: "Terms",
  privacy: "Privacy",
};

const look = "inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline";

/**
 * The end of every screen: the shop's name, its contact and its texts. A text opens in a dialog, a
 * page of the shop in a new tab.
 */
export function Footer() {
  const { shopName, contact, texts } = usePageConfig();
  const [open, setOpen] = useState<ShopTextName>();
  return (
    <footer className="border-t border-line text-sm text-ink-soft print:hidden">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-10 gap-y-1 px-4 py-5 sm:px-8">
        <p className="min-w-0 wrap-anywhere">{shopName}</p>
        <ul className="flex flex-wrap gap-x-5 sm:gap-x-6">
          {contact !== undefined && (
            <li>
              <a href={contactLink(contact).href} className={look}>
                Contact
              </a>
            </li>
          )}
          {texts.map(({ name, url }) => (
            <li key={name}>
              {url === undefined ? (
                <button
                  type="button"
                  className={look}
                  onPointerEnter={shopText.preload}
                  onClick={() => setOpen(name)}
                >
                  {titles[name]}
                </button>
              ) : (
                <a href={url} target="_blank" rel="noopener" className={look}>
                  {titles[name]}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
      {open !== undefined && (
        <Modal title={titles[open]} onClose={() => setOpen(undefined)}>
          <LoadingBoundary what="The text" onRetry={shopText.retry}>
            <shopText.Component name={open} />
          </LoadingBoundary>
        </Modal>
      )}
    </footer>
  );
}
