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
import { escapeHtml } from "../../platform/escape-html.ts";
import { contentSecurityPolicy } from "../../platform/http/security-headers.ts";
import type { Item } from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { canonical, itemHead } from "./item-head.ts";
import { jsonInScript } from "./json-in-script.ts";
import { compressedOnce, type ReadyPage } from "./ready-page.ts";

/** The storefront is not built. */
export class WebNotBuilt extends Error {
  override readonly name = "WebNotBuilt";
}

/** The page with each prerendered screen. */
export interface Pages {
  /**
   * The page with the prerendered screen of a path, such as `/checkout`; for any other path that of
   * the shop page, without the first product's picture.
   */
  at(path: string): ReadyPage;
  /** The shop page of a URL that opens an item. */
  ofItem(item: Item): ReadyPage;
  /** The `Content-Security-Policy` that allows the pages' inline elements by their hashes. */
  readonly policy: string;
}

/** The values that the build does not have. */
export interface PageValues {
  readonly config: PageConfig;
  /** The shop's accent colour, such as `#f7931a`. */
  readonly accent: string;
  readonly publicUrl: string;
  /** The URL of the first product's picture; `undefined` for an empty catalogue. */
  readonly firstPicture: string | undefined;
}

/**
 * The prerendered screens of the build, one after another: `<!-- page /checkout -->` and its HTML.
 */
const allScreens = /<!-- page \/ -->[\s\S]*<!-- end of pages -->/;
const oneScreen = /<!-- page (\S+) -->([\s\S]*?)(?=<!-- (?:page |end of pages))/g;
/** The first product's picture in the prerendered shop page. */
const firstPictureTag = /(<img [^>]*)src="__FIRST_PICTURE__"([^>]*>)/;
/** The tagline and the intro in the prerendered shop page; each is removed if the shop has none. */
const taglineTag = /(<p [^>]*>)__SHOP_TAGLINE__<\/p>/;
const introTag = /(<p [^>]*>)__SHOP_INTRO__<\/p>/;
/** Title, description and preview of the shop, which the page of an item replaces by its own. */
const shopHead = /<!-- shop -->([\s\S]*?)<!-- end of shop -->/;
/** How many pages of items are kept, so that the pages of popular items are compressed once. */
const MAX_ITEM_PAGES = 50;
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

/** Takes less than a millisecond; the pages are compressed later. */
export function renderPages(template: string, values: PageValues): Pages {
  const html = fill(template, values);
  const screens = new Map(
    [...html.matchAll(oneScreen)].map(([, path = "", screen = ""]) => [path, screen]),
  );
  const { config, publicUrl, firstPicture } = values;
  const shopScreen = screens.get("/") ?? "";
  const pageWith = (head: (ofShop: string) => string, screen: string, picture?: string) =>
    compressedOnce(
      html
        .replace(shopHead, (_block, ofShop: string) => head(ofShop))
        .replace(allScreens, () => withFirstPicture(screen, picture)),
    );
  const withCanonical = (ofShop: string) => canonical(`${publicUrl}/`) + ofShop;
  const ready = new Map(
    [...screens].map(([path, screen]) => [
      path,
      pageWith(path === "/" ? withCanonical : (ofShop) => ofShop, screen, firstPicture),
    ]),
  );
  const other = pageWith(withCanonical, shopScreen);
  const itemPages = new Map<string, ReadyPage>();
  return {
    at: (path) => ready.get(path) ?? other,
    ofItem(item) {
      const head = itemHead(item, { shopName: config.shopName, publicUrl });
      const page = itemPages.get(head) ?? pageWith(() => head, shopScreen);
      if (itemPages.size >= MAX_ITEM_PAGES) itemPages.clear();
      itemPages.set(head, page);
      return page;
    },
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

/** Fills in the URL of the first product's picture, in all stored sizes, or removes the picture. */
function withFirstPicture(screen: string, picture: string | undefined): string {
  const srcSet = picture && srcSetOf(picture);
  return screen.replace(firstPictureTag, (_tag, before: string, after: string) =>
    picture === undefined
      ? ""
      : `${before}src="${escapeHtml(picture)}"${srcSet ? ` srcset="${escapeHtml(srcSet)}"` : ""}${after}`,
  );
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

/** The part of the page configuration that comes from the environment. */
export type ServerConfig = Pick<PageConfig, "network" | "inviteCode" | "popupHosts">;

interface Options {
  readonly serverConfig: ServerConfig;
  readonly settings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /** The URL of the first picture on the shop page; `undefined` for an empty catalogue. */
  readonly firstPicture: () => string | undefined;
}

/**
 * @returns a function that renders the pages again after a change of the settings or the picture
 */
export function createPages(
  template: string,
  { serverConfig, settings, publicUrl, firstPicture }: Options,
): () => Pages {
  const render = (current: ShopSettings, picture: string | undefined) =>
    renderPages(template, {
      config: pageConfigOf(current, serverConfig),
      accent: current.accent,
      publicUrl,
      firstPicture: picture,
    });
  let shown = settings.current();
  let picture = firstPicture();
  let pages = render(shown, picture);
  return () => {
    if (settings.current() !== shown || firstPicture() !== picture) {
      shown = settings.current();
      picture = firstPicture();
      pages = render(shown, picture);
    }
    return pages;
  };
}

function pageConfigOf(settings: ShopSettings, serverConfig: ServerConfig): PageConfig {
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
    ...serverConfig,
    ...(contact === null ? {} : { contact }),
    texts,
  };
}
