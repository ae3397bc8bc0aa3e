import type { Category } from "@keepsats/protocol";
import { Link } from "../../lib/router.tsx";
import { shopAddress } from "./catalogue-address.ts";

interface CategoryLinksProps {
  readonly categories: readonly Category[];
  /** The id of the category that is shown; `undefined` for all items. */
  readonly current: string | undefined;
}

/** Links to the categories, such as `/?category=kitchen`. The server prerenders them. */
export function CategoryLinks({ categories, current }: CategoryLinksProps) {
  return (
    <nav aria-label="Categories" className="mt-4">
      <ul className="flex flex-wrap gap-x-6">
        {[{ id: "", name: "All" }, ...categories].map(({ id, name }) => (
          <li key={id}>
            <Link
              to={shopAddress("", { category: id })}
              aria-current={id === (current ?? "") ? "page" : undefined}
              className="inline-flex min-h-11 items-center wrap-anywhere text-ink-soft decoration-2 underline-offset-8 transition-colors hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:underline"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
