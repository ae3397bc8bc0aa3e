import { useSession } from "../lib/session.ts";

/** Who sends what is printed: the shop's logo, its name, and how to reach it. */
export function PrintHead() {
  const { shop_name, shop_url, shop_contact, shop_logo } = useSession();
  const logo =
    shop_logo && URL.canParse(shop_logo, shop_url) ? new URL(shop_logo, shop_url).href : undefined;
  return (
    <header className="mb-4 flex items-center gap-4">
      {logo !== undefined && <img src={logo} alt="" className="size-14 shrink-0 object-contain" />}
      <div className="min-w-0 wrap-anywhere">
        <p className="font-bold">{shop_name}</p>
        <p className="text-sm text-ink-soft">{shop_contact ?? shop_url}</p>
      </div>
    </header>
  );
}
