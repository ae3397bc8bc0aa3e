import { accentInk, type Cents, formatMoney, lineTotal, piecesText } from "@keepsats/domain";
import { escapeHtml } from "../../platform/escape-html.ts";
import type { Block, Email, Look } from "./email.ts";
import type { Attachment } from "./email-pictures.ts";

/** The light scheme, in `style` attributes, because many mail programs support nothing else. */
const light = {
  paper: "#faf7f2",
  sheet: "#fffdfa",
  ink: "#1c1915",
  soft: "#5c554b",
  line: "#e3dbce",
};
const dark = {
  paper: "#171512",
  sheet: "#201d19",
  ink: "#f3eee6",
  soft: "#b8afa1",
  line: "#35302a",
};

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const body = `${font};font-size:16px;line-height:1.55;color:${light.ink}`;
const small = `${font};font-size:14px;line-height:1.5;color:${light.soft}`;
const breaking = "overflow-wrap:anywhere;word-break:break-word";

/** For mail programs with a dark scheme; only `!important` overrides `style` attributes. */
const darkScheme = ({ accent }: Look) => `@media (prefers-color-scheme:dark){
.paper{background:${dark.paper}!important}
.sheet{background:${dark.sheet}!important;border-color:${accent} ${dark.line} ${dark.line}!important}
.ink{color:${dark.ink}!important}
.soft{color:${dark.soft}!important}
.line{border-color:${dark.line}!important}
}`;

/** Tables with inline styles and attached pictures, without scripts and anything to load. */
export function renderHtml(email: Email, look: Look): string {
  const rows = [
    paragraph(look.greeting),
    `<h1 class="ink" style="margin:0;${font};font-size:24px;line-height:1.25;font-weight:650;color:${light.ink};${breaking}">${escapeHtml(email.title)}</h1>`,
    ...email.blocks.map((block) => blockHtml(block, look)),
    email.note === undefined
      ? ""
      : `<p class="soft" style="margin:0;${small};${breaking}">${lines(email.note)}</p>`,
    paragraph(look.signature),
  ]
    .filter((row) => row !== "")
    .map((row) => `<tr><td style="padding:0 0 20px">${row}</td></tr>`)
    .join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(email.subject)}</title>
<style>:root{color-scheme:light dark}${darkScheme(look)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" style="background:${light.paper}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 4px 16px;${font};font-size:17px;font-weight:650;color:${light.ink};${breaking}">${logo(look)}${escapeHtml(look.shopName)}</td></tr>
<tr><td class="sheet" style="padding:28px 24px 8px;background:${light.sheet};border:1px solid ${light.line};border-top:4px solid ${look.accent};border-radius:10px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">
${rows}
</table>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** The width of an item's picture, in pixels. */
const PICTURE_WIDTH = 56;

function logo({ pictures }: Look): string {
  if (pictures.logo === undefined) return "";
  const style = "height:32px;max-width:160px;object-fit:contain;margin-right:10px";
  return image(pictures.logo, 'height="32"', style);
}

function itemPicture(picture: Attachment): string {
  const style = `width:${PICTURE_WIDTH}px;height:auto;border-radius:6px`;
  return image(picture, `width="${PICTURE_WIDTH}"`, style);
}

/**
 * Without an alternative text: the text beside it names the shop or the item.
 *
 * @param size an attribute, because some mail programs ignore the size in `style`
 */
function image({ cid }: Attachment, size: string, style: string): string {
  return `<img src="cid:${escapeHtml(encodeURI(cid))}" alt="" ${size} style="${style};vertical-align:middle">`;
}

function blockHtml(block: Block, look: Look): string {
  switch (block.kind) {
    case "text":
      return paragraph(block.text);
    case "link":
      return link(block, look);
    case "key-values":
      return table(block.pairs.map(([label, value]) => ({ kind: "key-value", label, value })));
    case "items": {
      const amount = (label: string, cents: Cents) =>
        ({ kind: "amount", label, value: formatMoney(cents) }) as const;
      return table([
        ...block.items.map((item) => ({
          ...amount(piecesText(item), lineTotal(item)),
          picture: look.pictures.items.get(item.id),
        })),
        ...(block.shipping === 0 ? [] : [amount("Shipping", block.shipping)]),
        { ...amount("Total", block.total), kind: "total" },
      ]);
    }
  }
}

function paragraph(text: string): string {
  return text === ""
    ? ""
    : `<p class="ink" style="margin:0;${body};${breaking}">${lines(text)}</p>`;
}

interface Row {
  readonly kind: "key-value" | "amount" | "total";
  readonly label: string;
  readonly value: string;
  readonly picture?: Attachment | undefined;
}

function table(rows: readonly Row[]): string {
  const hasPictures = rows.some(({ picture }) => picture !== undefined);
  const cells = rows.map((row, index) => rowHtml(row, index, hasPictures));
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0">\n${cells.join("\n")}\n</table>`;
}

/** @param hasPictures the table has a column of pictures, which rows without one leave empty */
function rowHtml(
  { kind, label, value, picture }: Row,
  index: number,
  hasPictures: boolean,
): string {
  const edge = index === 0 ? "" : `border-top:1px solid ${light.line};`;
  const cell = `padding:8px 0;vertical-align:${hasPictures ? "middle" : "top"};${edge}${body};${kind === "total" ? "font-weight:650;" : ""}`;
  const [left, right] =
    kind === "key-value"
      ? ["width:34%;padding-right:16px", `text-align:left;${breaking}`]
      : [
          breaking,
          "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;padding-left:16px",
        ];
  const pictureCell = hasPictures
    ? `<td class="line" width="${PICTURE_WIDTH}" style="${cell}padding-right:12px">${picture === undefined ? "" : itemPicture(picture)}</td>`
    : "";
  return `<tr>${pictureCell}<td class="ink line" style="${cell}${left}">${escapeHtml(label)}</td><td class="ink line" style="${cell}${right}">${lines(value)}</td></tr>`;
}

function link({ label, url, isMain }: Extract<Block, { kind: "link" }>, { accent }: Look): string {
  if (!isMain)
    return `<a href="${escapeHtml(url)}" class="ink" style="${body};text-decoration:underline">${escapeHtml(label)}</a>`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-radius:8px;background:${accent}"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;${font};font-size:16px;font-weight:600;color:${accentInk(accent)};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}

export function renderText(email: Email, look: Look): string {
  const parts = [
    look.greeting,
    email.title,
    ...email.blocks.map(blockText),
    email.note ?? "",
    look.signature,
    `-- \n${look.shopName}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "link":
      return `${block.label}:\n${block.url}`;
    case "key-values":
      return block.pairs
        .map(([label, value]) => `${label}: ${value.replaceAll("\n", "\n  ")}`)
        .join("\n");
    case "items": {
      const lines = block.items.map(
        (item) => `${piecesText(item)}  ${formatMoney(lineTotal(item))}`,
      );
      const shipping = block.shipping === 0 ? [] : [`Shipping  ${formatMoney(block.shipping)}`];
      return [...lines, ...shipping, `Total  ${formatMoney(block.total)}`].join("\n");
    }
  }
}
