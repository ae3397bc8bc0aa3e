import { decimalFromCents, itemTitle, shopCurrency } from "@keepsats/domain";
import { escapeHtml, jsonInScript } from "../../platform/escape-html.ts";
import type { Item } from "../catalogue/index.ts";

/** Longer descriptions are cut: search engines show about half of it. */
const MAX_DESCRIPTION = 300;

interface Shop {
  readonly shopName: string;
  readonly publicUrl: string;
}

/** The path of an item on the shop page, such as `/?item=moka-pot`. */
export function itemPath(id: string): string {
  return `/?item=${encodeURIComponent(id)}`;
}

/** The path of a category on the shop page, such as `/?category=kitchen`. */
export function categoryPath(id: string): string {
  return `/?category=${encodeURIComponent(id)}`;
}

/**
 * The part of the page's head that is about an item: title, description, canonical URL, the preview
 * of shared links, and schema.org data with price and availability.
 *
 * @param group the item, or its variants: the first one represents them
 */
export function itemHead(group: readonly Item[], { shopName, publicUrl }: Shop): string {
  const [item] = group;
  if (item === undefined) return "";
  const url = publicUrl + itemPath(item.id);
  const pictures = [item.image_url, ...item.image_urls].flatMap(
    (picture) => URL.parse(picture, publicUrl)?.href ?? [],
  );
  const about = item.description.replaceAll(/\s+/g, " ").slice(0, MAX_DESCRIPTION).toWellFormed();
  const [offer, ...others] = group.map((variant) => offerOf(variant, { shopName, publicUrl }));
  const product = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: item.name,
    description: item.description,
    sku: item.id,
    image: pictures,
    url,
    offers: others.length === 0 ? offer : [offer, ...others],
  };
  // Previews of shared links show no SVG.
  const preview = pictures.find((picture) => !/\.svg$/i.test(picture)) ?? `${publicUrl}/share.png`;
  const meta = (attribute: string, content: string) =>
    `<meta ${attribute} content="${escapeHtml(content)}" />`;
  return [
    `<title>${escapeHtml(`${item.name} · ${shopName}`)}</title>`,
    canonical(url),
    meta('name="description"', about),
    meta('property="og:type"', "product"),
    meta('property="og:title"', item.name),
    meta('property="og:description"', about),
    meta('property="og:url"', url),
    meta('property="og:image"', preview),
    meta('name="twitter:card"', "summary_large_image"),
    `<script type="application/ld+json">${jsonInScript(product)}</script>`,
  ].join("\n    ");
}

export function canonical(url: string): string {
  return `<link rel="canonical" href="${escapeHtml(url)}" />`;
}

function offerOf(item: Item, { shopName, publicUrl }: Shop) {
  const availability = item.stock === 0 ? "OutOfStock" : "InStock";
  return {
    "@type": "Offer",
    ...(item.variant_name === null ? {} : { name: itemTitle(item), sku: item.id }),
    url: publicUrl + itemPath(item.id),
    price: decimalFromCents(item.price),
    priceCurrency: shopCurrency.code,
    availability: `https://schema.org/${availability}`,
    seller: { "@type": "Organization", name: shopName },
  };
}
