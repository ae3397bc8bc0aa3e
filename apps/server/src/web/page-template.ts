import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { ACCENT, ACCENT_INK, accentInk, isDarkAccent, srcSetOf } from "@keepsats/domain";
import { type PageConfig, pageConfigId } from "@keepsats/protocol";
import type { ContentEncoding } from "../http/content-encoding.ts";
import { contentSecurityPolicy } from "../http/security-headers.ts";

/** There is no built web app to serve. */
export class WebNotBuilt extends Error {
  override readonly name = "WebNotBuilt";
}

/**
 * A page in an encoding. It is compressed when it is first asked for, to keep the start fast and
 * the memory small.
 */
export type ReadyPage = (encoding: ContentEncoding | undefined) => Promise<Buffer>;

/** The app's page, once for every screen that has a frame of its own. */
export interface Pages {
  /**
   * The page with the frame of the screen at a path, such as `/checkout`; for any other path that
   * of the shop page without the first product's picture.
   */
  at(path: string): ReadyPage;
  /** The `Content-Security-Policy` that allows the pages' inline elements by their hashes. */
  readonly policy: string;
}

/** What the server knows and the build does not. */
export interface PageValues {
  readonly config: PageConfig;
  /** The shop's accent colour, such as `#f7931a`. */
  readonly accent: string;
  readonly publicUrl: string;
  /** The address of the first product's picture; `undefined` for an empty catalogue. */
  readonly firstPicture: string | undefined;
}

/**
 * The screens' frames, which the build puts one behind the other: `<!-- frame /checkout -->` and
 * then its HTML.
 */
const allFrames = /<!-- frame \/ -->[\s\S]*<!-- end of frames -->/;
const oneFrame = /<!-- frame (\S+) -->([\s\S]*?)(?=<!-- (?:frame|end of frames))/g;
/** The first product's picture in the shop page's frame. */
const pictureInFrame = /(<img [^>]*)src="__FIRST_PICTURE__"([^>]*>)/;
/** The tagline in the prerendered shop page; removed if the shop has none. */
const taglineInFrame = /(<p [^>]*>)__SHOP_TAGLINE__<\/p>/;
/** The logo that the build has, for shops without one. */
const ownLogo = "/favicon.svg";
const inlineStyle = /<style>([\s\S]*?)<\/style>/g;
const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/**
 * Reads the page that the build made.
 *
 * @throws {WebNotBuilt} when there is no build in the folder
 */
export async function readTemplate(root: string): Promise<string> {
  return readFile(join(root, "index.html"), "utf8").catch(() => {
    throw new WebNotBuilt(`there is no built web app in ${root}: run "npm run build" first`);
  });
}

/**
 * Makes the pages: fills in what the server knows. It takes less than a millisecond; compressing
 * comes later.
 */
export function makePages(template: string, values: PageValues): Pages {
  const html = fill(template, values);
  const frames = new Map(
    [...html.matchAll(oneFrame)].map(([, path = "", frame = ""]) => [path, frame]),
  );
  const pageWith = (frame: string, picture?: string) =>
    compressedOnce(html.replace(allFrames, () => withFirstPicture(frame, picture)));
  const ready = new Map(
    [...frames].map(([path, frame]) => [path, pageWith(frame, values.firstPicture)] as const),
  );
  const other = pageWith(frames.get("/") ?? "");
  return {
    at: (path) => ready.get(path) ?? other,
    policy: contentSecurityPolicy(values.publicUrl, {
      styleHashes: hashesOf(html, inlineStyle),
      scriptHashes: hashesOf(html, inlineScript),
    }),
  };
}

function fill(template: string, { config, accent, publicUrl }: PageValues): string {
  const json = JSON.stringify(config).replaceAll("<", "\\u003c");
  const block = `<script type="application/json" id="${pageConfigId}">${json}</script>`;
  return template
    .replaceAll("__SHOP_NAME__", () => escapeHtml(config.shopName))
    .replaceAll("__SHOP_LOGO__", () => escapeHtml(config.logo ?? ownLogo))
    .replace(taglineInFrame, (_tag, before: string) =>
      config.tagline === undefined ? "" : `${before}${escapeHtml(config.tagline)}</p>`,
    )
    .replaceAll("__PUBLIC_URL__", () => escapeHtml(publicUrl))
    .replace("<!-- page-config -->", () => accentStyle(accent) + block);
}

/**
 * Fills in the address of the first product's picture, in the sizes that the shop keeps; without
 * one the frame has none.
 */
function withFirstPicture(frame: string, picture: string | undefined): string {
  const srcSet = picture && srcSetOf(picture);
  return frame.replace(pictureInFrame, (_tag, before: string, after: string) =>
    picture === undefined
      ? ""
      : `${before}src="${escapeHtml(picture)}"${srcSet ? ` srcset="${escapeHtml(srcSet)}"` : ""}${after}`,
  );
}

/**
 * The style that replaces the accent of `theme.css`, from which the stylesheet derives the others
 * of its kind.
 */
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The hashes of the inline elements that a pattern finds, such as `'sha256-…'`. */
function hashesOf(html: string, inlineElement: RegExp): string[] {
  return [...html.matchAll(inlineElement)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}

function compressedOnce(html: string): ReadyPage {
  const identity = Buffer.from(html);
  const compress = {
    br: () =>
      promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: () => promisify(gzip)(identity),
  };
  const compressed = new Map<ContentEncoding, Promise<Buffer>>();
  return async (encoding) => {
    if (encoding === undefined) return identity;
    const body = compressed.get(encoding) ?? compress[encoding]();
    compressed.set(encoding, body);
    return body.catch((error: unknown) => {
      compressed.delete(encoding);
      throw error;
    });
  };
}
