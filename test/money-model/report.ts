/** What a run was, and why it failed. */
import type { World } from "./world.ts";

const MOST = 20;

export function summarize({
  orders,
  provider,
  refunds,
  decided,
  outside,
  violations,
  shop,
}: World): string {
  return [
    `${violations.length} violations`,
    `${orders.length} orders, ${provider.loans.length} loans`,
    `${refunds.size} refunds, ${decided.size} decisions`,
    `${outside.emails.length} emails, ${outside.webhooks().length} webhook messages`,
    `${shop.errors().length} errors in the log`,
  ].join("; ");
}

/** The broken invariants, with the history of what each is about. */
export function explain({ violations, history, provider, shop }: World): string {
  const lines = violations.slice(0, MOST).flatMap(({ rule, detail, about }) => {
    const loans = provider.loans.filter(({ names }) => about.some((id) => names.has(id)));
    const words = [...about.map((id) => id.slice(0, 8)), ...loans.map(({ id }) => `${id}:`)];
    const own = history.filter(
      (line) => / (kill|the night)$/.test(line) || words.some((word) => line.includes(word)),
    );
    return [`✗ ${rule}: ${detail}`, ...own.map((line) => `    ${line}`)];
  });
  return [...lines, ...shop.errors().slice(0, MOST)].join("\n");
}
