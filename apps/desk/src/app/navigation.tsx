import { classes } from "@keepsats/ui/classes.ts";
import { Link } from "@keepsats/ui/link.tsx";
import { CreditCard, LayoutGrid, type LucideIcon, ReceiptText, Settings, Sun } from "lucide-react";
import { useLocation } from "react-router";

interface Entry {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

const entries: readonly Entry[] = [
  { path: "/", label: "Today", icon: Sun },
  { path: "/orders", label: "Orders", icon: ReceiptText },
  { path: "/payments", label: "Payments", icon: CreditCard },
  { path: "/items", label: "Items", icon: LayoutGrid },
  { path: "/settings", label: "Settings", icon: Settings },
];

/** The screens: a bar at the bottom of a phone, a list at the left of a wide window. */
export function Navigation() {
  const { pathname } = useLocation();
  return (
    <nav
      aria-label="Screens"
      className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex lg:flex-col lg:gap-1">
        {entries.map(({ path, label, icon: Icon }) => {
          const isCurrent = path === "/" ? pathname === "/" : pathname.startsWith(path);
          return (
            <li key={path} className="grow basis-0 lg:grow-0 lg:basis-auto">
              <Link
                to={path}
                aria-current={isCurrent ? "page" : undefined}
                className={classes(
                  "flex min-h-11 items-center rounded-md transition-colors hover:bg-sunken",
                  "max-lg:flex-col max-lg:justify-center max-lg:gap-0.5 max-lg:py-1.5 max-lg:text-sm lg:gap-3 lg:px-3",
                  isCurrent ? "font-medium text-ink lg:bg-sunken" : "text-ink-soft",
                )}
              >
                <Icon aria-hidden size={18} />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
