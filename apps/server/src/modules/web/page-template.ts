import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ACCENT,
  ACCENT_INK,
  accentInk,
  isDarkAccent,
  isWebAddress,
  srcSetOf,
} from "@keepsats/domain";
import {
  type PageConfig,
  pageConfigId,
  type ShopSettings,
  shopTextNames,
} from "@keepsats/protocol";
import type { Config } from "../../config/config.ts";
import { escapeHtml, jsonInScript } from "../../platform/escape-html.ts";
import { contentSecurityPolicy } from "../../platform/http/security-headers.ts";
import type { Catalogue, Item, ShownCategory } from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { canonical, categoryPath, itemHead } from "./item-head.ts";
import { compressedOnce } from "./ready-page.ts";

/** The storefront is not built. */
export class WebNotBuilt extends Error {
  override readonly name = "WebNotBuilt";
}

/** The values that the build does not have. */
export interface PageValues {
  readonly config: PageConfig;
  /** The shop's accent colour, such as `#f7931a`. */
  readonly accent: string;
  readonly publicUrl: string;
  /** The URL of the first item's picture; `undefined` for an empty catalogue. */
  readonly firstPicture: string | undefined;
}

/**
 * The prerendered screens of the build, one after another: `<!-- page /checkout -->` and its HTML.
 */
const allScreens = /<!-- page \/ -->[\s\S]*<!-- end of pages -->/;
const oneScreen = /<!-- page (\S+) -->([\s\S]*?)(?=<!-- (?:page |end of pages))/g;
/** The first item's picture in the prerendered shop page. */
const firstPictureTag = /(<img [^>]*)src="__FIRST_PICTURE__"([^>]*>)/;
/** The tagline and the intro in the prerendered shop page; each is removed if the shop has none. */
const taglineTag = /(<p [^>]*>)__SHOP_TAGLINE__<\/p>/;
const introTag = /(<p [^>]*>)__SHOP_INTRO__<\/p>/;
/** The links to the categories in the prerendered shop page, with the current one for all items. */
const categoriesTag = /(<nav aria-label="Categories"[^>]*><ul[^>]*>)(<li>.*?<\/li>)(<\/ul><\/nav>)/;
const currentLink = ' aria-current="page"';
/** Title, description and preview of the shop, which the page of an item replaces by its own. */
const shopHead = /<!-- shop -->([\s\S]*?)<!-- end of shop -->/;
/** For shops without a logo. */
const defaultLogo = "/favicon.svg";
const inlineStyle = /<style>([\s\S]*?)<\/style>/g;
const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/** @throws {WebNotBuilt} if the folder has no build */
export async function readTemplate(root: string): Promise<string> {
  return readFile(join(root, "index.html"), "utf8").catch(() => {
    throw new WebNotBuilt(`there is no built web app in ${root}: run "npm run build" first`);
  });
}

export interface PagesOptions {
  readonly config: Config;
  readonly settings: ShopSettingsReader;
  readonly catalogue: Catalogue;
}

/** Returns the pages, rendered again after a change of the settings or of the shown items. */
export function createPages(
  template: string,
  { config, settings, catalogue }: PagesOptions,
): () => ReturnType<typeof renderPages> {
  const read = () => ({ settings: settings.current(), shown: catalogue.shown() });
  const render = ({ settings, shown }: ReturnType<typeof read>) =>
    renderPages(template, {
      config: pageConfigOf(settings, shown.categories, config),
      accent: settings.accent,
      publicUrl: config.publicUrl,
      firstPicture: shown.firstPicture,
    });
  let rendered = read();
  let pages = render(rendered);
  return () => {
    const current = read();
    if (current.settings !== rendered.settings || current.shown !== rendered.shown) {
      rendered = current;
      pages = render(current);
    }
    return pages;
  };
}

function pageConfigOf(
  settings: ShopSettings,
  categories: readonly ShownCategory[],
  { loanNetwork, loanInviteCode, popupHosts }: Config,
): PageConfig {
  const { name: shopName, contact, logo, tagline, intro } = settings;
  const texts = shopTextNames.flatMap((name) => {
    const text = settings[name];
    if (text === null) return [];
    return isWebAddress(text) ? { name, url: text } : { name };
  });
  return {
    shopName,
    ...(logo === null ? {} : { logo }),
    ...(tagline === null ? {} : { tagline }),
    ...(intro === null ? {} : { intro }),
    ...(categories.length === 0
      ? {}
      : { categories: categories.map(({ id, name }) => ({ id, name })) }),
    network: loanNetwork,
    inviteCode: loanInviteCode,
    popupHosts,
    ...(contact === null ? {} : { contact }),
    texts,
  };
}

/** Takes less than a millisecond; the pages are compressed later. */
export function renderPages(template: string, values: PageValues) {
  const html = fill(template, values);
  const screens = new Map(
    [...html.matchAll(oneScreen)].map(([, path = "", screen = ""]) => [path, screen]),
  );
  const { config, publicUrl, firstPicture } = values;
  const shopScreen = screens.get("/") ?? "";
  const pageWith = (
    head: (ofShop: string) => string,
    screen: string,
    { picture, category }: { picture?: string | undefined; category?: string | undefined } = {},
  ) =>
    compressedOnce(
      html
        .replace(shopHead, (_block, ofShop: string) => head(ofShop))
        .replace(allScreens, () =>
          withCategories(withFirstPicture(screen, picture), config.categories, category),
        ),
    );
  const withCanonical = (ofShop: string) => canonical(`${publicUrl}/`) + ofShop;
  const ready = new Map(
    [...screens].map(([path, screen]) => [
      path,
      pageWith(path === "/" ? withCanonical : (ofShop) => ofShop, screen, {
        picture: firstPicture,
      }),
    ]),
  );
  const other = pageWith(withCanonical, shopScreen);
  return {
    /**
     * The page with the prerendered screen of a path, such as `/checkout`. Any other path gets the
     * shop page without the first item's picture.
     */
    at: (path: string) => ready.get(path) ?? other,
    /** The shop page of a URL that opens an item. `group`: the item, or its variants. */
    ofItem(group: readonly Item[]) {
      const head = itemHead(group, { shopName: config.shopName, publicUrl });
      return pageWith(() => head, shopScreen);
    },
    /** The shop page of a URL that shows a category. */
    ofCategory({ id, name, firstPicture: picture }: ShownCategory) {
      const title = escapeHtml(`${name} · ${config.shopName}`);
      const head = (ofShop: string) =>
        canonical(publicUrl + categoryPath(id)) +
        ofShop.replace(/<title>[^<]*/, () => `<title>${title}`);
      return pageWith(head, shopScreen, { picture, category: id });
    },
    /** The shop page of a URL with a search in a category, or in all. */
    ofSearch(category: string | undefined) {
      return category === undefined ? other : pageWith(withCanonical, shopScreen, { category });
    },
    /** The `Content-Security-Policy` that allows the pages' inline elements by their hashes. */
    policy: contentSecurityPolicy(values.publicUrl, {
      styleHashes: hashesOf(html, inlineStyle),
      scriptHashes: hashesOf(html, inlineScript),
    }),
  };
}

function fill(template: string, { config, accent, publicUrl }: PageValues): string {
  const block = `<script type="application/json" id="${pageConfigId}">${jsonInScript(config)}</script>`;
  return template
    .replaceAll("__SHOP_NAME__", () => escapeHtml(config.shopName))
    .replaceAll("__SHOP_LOGO__", () => escapeHtml(config.logo ?? defaultLogo))
    .replace(taglineTag, withText(config.tagline))
    .replace(introTag, withText(config.intro))
    .replaceAll("__PUBLIC_URL__", () => escapeHtml(publicUrl))
    .replace("<!-- page-config -->", () => accentStyle(accent) + block);
}

/** Fills a paragraph with a text, or removes it. */
function withText(text: string | undefined): (tag: string, before: string) => string {
  return (_tag, before) => (text === undefined ? "" : `${before}${escapeHtml(text)}</p>`);
}

/** Fills in the URL of the first item's picture, in all stored sizes, or removes the picture. */
function withFirstPicture(screen: string, picture: string | undefined): string {
  const srcSet = picture && srcSetOf(picture);
  return screen.replace(firstPictureTag, (_tag, before: string, after: string) =>
    picture === undefined
      ? ""
      : `${before}src="${escapeHtml(picture)}"${srcSet ? ` srcset="${escapeHtml(srcSet)}"` : ""}${after}`,
  );
}

/** Fills in the links to the categories, or removes them. `current`: the id of a category. */
function withCategories(
  screen: string,
  categories: PageConfig["categories"],
  current: string | undefined,
): string {
  return screen.replace(categoriesTag, (_tag, start: string, all: string, end: string) => {
    if (categories === undefined) return "";
    const linkOf = (id: string | undefined, name: string, path: string) =>
      all
        .replace(currentLink, id === current ? currentLink : "")
        .replace('href="/"', () => `href="${escapeHtml(path)}"`)
        .replace(/>[^<>]+(?=<)/, () => `>${escapeHtml(name)}`);
    const links = categories.map(({ id, name }) => linkOf(id, name, categoryPath(id)));
    return start + linkOf(undefined, "All", "/") + links.join("") + end;
  });
}

/** Overrides the accent of `theme.css`, from which the stylesheet derives further colours. */
function accentStyle(accent: string): string {
  if (accent === ACCENT) return "";
  const ink = accentInk(accent);
  const colours = [
    `--color-accent:${accent}`,
    ...(ink === ACCENT_INK ? [] : [`--color-on-accent:${ink}`]),
  ];
  if (isDarkAccent(accent))
    colours.push(
      // Hovering darkens the accent; on a dark page its border is lighter.
      "--color-accent-strong:color-mix(in srgb,var(--color-accent),black 22%)",
      "--color-accent-edge:light-dark(var(--color-accent),color-mix(in srgb,var(--color-accent),white 40%))",
    );
  return `<style>:root{${colours.join(";")}}</style>`;
}

/** The hashes of the inline elements that a pattern finds, such as `'sha256-…'`. */
function hashesOf(html: string, inlineElement: RegExp): string[] {
  return [...html.matchAll(inlineElement)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}
