import { call } from "@keepsats/client";
import { type ShopTextName, shopPaths, shopTextSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Modal } from "../ui/modal.tsx";
import { contactLink, usePageConfig } from "./page-config.ts";

const titles: Readonly<Record<ShopTextName, string>> = {
  delivery: "Delivery",
  returns: "Returns",
  terms: "Terms",
  privacy: "Privacy",
};

const look = "inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline";

/**
 * The end of every screen: the shop's name, its contact and its texts. A text opens in a dialog, a
 * web page in a new tab.
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
                <button type="button" className={look} onClick={() => setOpen(name)}>
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
          <ShopText name={open} />
        </Modal>
      )}
    </footer>
  );
}

/** A text of the footer with line breaks, fetched from the API when it is first opened. */
function ShopText({ name }: { name: ShopTextName }) {
  const path = shopPaths.shopText.replace(":name", name);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => call({ path, answer: shopTextSchema, signal }),
  });
  if (data !== undefined) return <p className="whitespace-pre-line wrap-anywhere">{data.text}</p>;
  if (!isError || isFetching) return <p className="text-ink-soft">Loading…</p>;
  return (
    <div role="alert">
      <p className="mb-4 text-danger">This text could not be loaded.</p>
      <Button onClick={() => void refetch()}>Retry</Button>
    </div>
  );
}
