import { contactLink, usePageSettings } from "../lib/page-settings.ts";
import { ShopTextLink } from "../lib/shop-text-link.tsx";

const look = "inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline";

/** The end of every screen: the shop's name, its contact and its texts. */
export function Footer() {
  const { shopName, contact, texts } = usePageSettings();
  return (
    <footer className="border-t border-line text-sm text-ink-soft print:hidden">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-10 gap-y-1 px-4 py-5 sm:px-8">
        <p className="min-w-0 wrap-anywhere">{shopName}</p>
        <ul className="flex flex-wrap gap-x-5 sm:gap-x-6">
          {contact !== undefined && (
            <li>
              <a href={contactLink(contact).href} className={look}>
                Contact
              </a>
            </li>
          )}
          {texts.map((text) => (
            <li key={text.name}>
              <ShopTextLink text={text} className={look} />
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
