import { formatMoney } from "@keepsats/domain";
import type { Block, Letter, Look } from "./letter.ts";

/** Renders a letter as plain text. */
export function renderText(letter: Letter, look: Look): string {
  const parts = [
    look.greeting,
    letter.title,
    ...letter.blocks.map(blockText),
    letter.note ?? "",
    look.signature,
    `-- \n${look.shopName}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "text":
    case "command":
      return block.text;
    case "link":
      return `${block.label}:\n${block.url}`;
    case "facts":
      return block.facts
        .map(([label, value]) => `${label}: ${value.replaceAll("\n", "\n  ")}`)
        .join("\n");
    case "items": {
      const lines = block.items.map(
        ({ name, quantity, total }) => `${quantity} × ${name}  ${formatMoney(total)}`,
      );
      const shipping = block.shipping === 0 ? [] : [`Shipping  ${formatMoney(block.shipping)}`];
      return [...lines, ...shipping, `Total  ${formatMoney(block.total)}`].join("\n");
    }
  }
}
