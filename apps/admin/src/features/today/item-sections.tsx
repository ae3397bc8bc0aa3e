import { bestSellersSchema, type PeriodLength, paths, type Today } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { apiQuery } from "../../lib/api.ts";
import { counted } from "../../lib/format.ts";
import { ItemPicture } from "../../ui/item-picture.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Money } from "../../ui/values.tsx";

const row = "flex min-h-11 items-center gap-3 py-1.5";

/** The items of which the most pieces were sold in a period. */
export function BestSellers({ days }: { days: PeriodLength }) {
  const path = `${paths.admin.bestSellers}?days=${days}`;
  const query = useQuery(apiQuery(path, bestSellersSchema, ["figures", "settings"]));
  return (
    <Section title="Best sellers">
      <Loaded query={query} subject="The best sellers">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-ink-soft">No paid orders in this period.</p>
          ) : (
            <ol className="divide-y divide-line">
              {items.map(({ id, name, picture, pieces, revenue }) => (
                <li key={id} className={row}>
                  {picture !== null && <ItemPicture url={picture} className="size-10 shrink-0" />}
                  <span className="min-w-0 grow wrap-anywhere">{name}</span>
                  <span className="money shrink-0 text-ink-soft">{counted(pieces, "piece")}</span>
                  <Money cents={revenue} className="w-24 shrink-0 text-right" />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The items with the fewest pieces. */
export function LowStock({ items }: { items: NonNullable<Today["low_items"]> }) {
  return (
    <Section title="Low stock">
      {items.length === 0 ? (
        <p className="text-ink-soft">No item is low in stock.</p>
      ) : (
        <ul className="divide-y divide-line">
          {items.map(({ id, name, picture, stock }) => (
            <li key={id} className={row}>
              <ItemPicture url={picture} className="size-10 shrink-0" />
              <Link
                to={`/items?q=${encodeURIComponent(id)}`}
                className={`${textLink} min-w-0 grow wrap-anywhere`}
              >
                {name}
              </Link>
              <span className={stock === 0 ? "shrink-0 text-danger" : "money shrink-0"}>
                {stock === 0 ? "sold out" : `${stock} left`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
