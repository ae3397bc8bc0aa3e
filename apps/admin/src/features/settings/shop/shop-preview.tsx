import { accentInk } from "@keepsats/domain";
import { shopTextNames } from "@keepsats/protocol";
import { useSession } from "../../../lib/session.ts";
import { isColour, type ShopValues, settingTexts } from "./shop-form.ts";

interface ShopPreviewProps {
  readonly typed: ShopValues;
  /** The stored colour, shown while the typed one is incomplete. */
  readonly accent: string;
}

export function ShopPreview({ typed, accent: stored }: ShopPreviewProps) {
  const text = (name: keyof ShopValues) => typed[name].trim();
  const accent = isColour(text("accent")) ? text("accent") : stored;
  const texts = shopTextNames.filter((name) => text(name) !== "");
  return (
    <aside aria-label="Preview of the shop" className="lg:sticky lg:top-5">
      <p className="mb-2 text-sm font-medium">Preview</p>
      <div className="overflow-hidden rounded-lg border border-line bg-paper">
        <p className="flex min-w-0 items-center gap-2.5 border-b border-line px-4 py-3 text-lg font-bold">
          <Logo address={text("logo")} />
          <span className="min-w-0 truncate">{text("name") || "(no name)"}</span>
        </p>
        {text("tagline") !== "" && (
          <p className="px-4 pt-6 text-ink-soft wrap-anywhere">{text("tagline")}</p>
        )}
        {text("intro") !== "" && (
          <p className="px-4 pt-4 whitespace-pre-line wrap-anywhere">{text("intro")}</p>
        )}
        <div className="px-4 py-8 text-center">
          <span
            // The colour is typed, so it has no class.
            style={{ backgroundColor: accent, color: accentInk(accent.toLowerCase()) }}
            className="inline-flex min-h-11 items-center rounded-md px-5 font-medium"
          >
            Proceed to Checkout
          </span>
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-3 text-sm text-ink-soft">
          <span className="grow wrap-anywhere">{text("name")}</span>
          {text("contact") !== "" && <span>Contact</span>}
          {texts.map((name) => (
            <span key={name}>{settingTexts[name].label}</span>
          ))}
        </p>
      </div>
      <p className="mt-5 mb-2 text-sm font-medium">An email to a customer</p>
      <div className="rounded-lg border border-line bg-raised px-4 py-3 text-sm wrap-anywhere">
        {text("greeting") !== "" && <p className="mb-2">{text("greeting")}</p>}
        <p className="text-ink-soft">Your order has shipped.</p>
        {text("signature") !== "" && (
          <p className="mt-2 whitespace-pre-line">{text("signature")}</p>
        )}
      </div>
    </aside>
  );
}

function Logo({ address }: { address: string }) {
  const { shop_url } = useSession();
  // The default icon of the shop is also served by the admin.
  const source = address === "" ? "/favicon.svg" : URL.parse(address, shop_url)?.href;
  return (
    <img src={source} alt="Logo" className="h-6.5 max-w-32 min-w-6.5 object-contain text-sm" />
  );
}
