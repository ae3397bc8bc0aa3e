import { hasPermission, type Permission, type Role, type Today } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  CreditCard,
  LayoutGrid,
  type LucideIcon,
  ReceiptText,
  Settings,
  Sun,
} from "lucide-react";
import { Link, useLocation } from "react-router";
import { todayQuery } from "../lib/queries.ts";
import { useSession } from "../lib/session.ts";

interface Entry {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly permission: Permission;
}

const entries: readonly Entry[] = [
  { path: "/", label: "Today", icon: Sun, permission: "reports:read" },
  { path: "/orders", label: "Orders", icon: ReceiptText, permission: "orders:pack" },
  { path: "/payments", label: "Payments", icon: CreditCard, permission: "payments:read" },
  { path: "/books", label: "Books", icon: BookOpen, permission: "payments:read" },
  { path: "/items", label: "Items", icon: LayoutGrid, permission: "items:read" },
  { path: "/settings", label: "Settings", icon: Settings, permission: "sessions:own" },
];

export const entriesFor = (role: Role) =>
  entries.filter(({ permission }) => hasPermission(role, permission));

/** The links to the screens: a bar at the bottom of a phone, a list in a wide window. */
export function Navigation() {
  const { pathname } = useLocation();
  const { role } = useSession().staff;
  const { data: today } = useQuery({ ...todayQuery, enabled: hasPermission(role, "reports:read") });
  return (
    <nav
      aria-label="Screens"
      className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex lg:flex-col lg:gap-1">
        {entriesFor(role).map(({ path, label, icon: Icon }) => {
          const count = navigationCount(path, today);
          const isCurrent = path === "/" ? pathname === "/" : pathname.startsWith(path);
          return (
            <li key={path} className="grow basis-0 lg:grow-0 lg:basis-auto">
              <Link
                to={path}
                aria-current={isCurrent ? "page" : undefined}
                className={classes(
                  "relative flex min-h-11 items-center rounded-md transition-colors hover:bg-sunken",
                  "max-lg:flex-col max-lg:justify-center max-lg:gap-0.5 max-lg:py-1.5 max-lg:text-sm lg:gap-3 lg:px-3",
                  isCurrent ? "font-medium text-ink lg:bg-sunken" : "text-ink-soft",
                )}
              >
                <Icon aria-hidden size={18} />
                {label}
                {count !== undefined && <Count {...count} />}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Count({ count, label }: NavigationCount) {
  return (
    <>
      <span
        aria-hidden
        className="money flex h-5.5 min-w-5.5 items-center justify-center rounded-full bg-ink px-1 text-sm font-medium text-paper max-lg:absolute max-lg:top-0 max-lg:left-1/2 max-lg:ml-2.5 lg:ml-auto"
      >
        {count > 99 ? "99+" : count}
      </span>
      <span className="sr-only">, {label}</span>
    </>
  );
}

interface NavigationCount {
  readonly count: number;
  /** For screen readers, such as "3 to ship". */
  readonly label: string;
}

/**
 * The number of open tasks on a screen: orders to ship, or payments that need attention;
 * `undefined` without any.
 *
 * @param today `undefined` until it has loaded
 */
export function navigationCount(
  path: string,
  today: Pick<Today, "to_ship" | "payment_issues"> | undefined,
): NavigationCount | undefined {
  const { to_ship = 0, payment_issues = 0 } = today ?? {};
  if (path === "/orders" && to_ship > 0) return { count: to_ship, label: `${to_ship} to ship` };
  if (path === "/payments" && payment_issues > 0) {
    const label = payment_issues === 1 ? "1 needs attention" : `${payment_issues} need attention`;
    return { count: payment_issues, label };
  }
  return undefined;
}
