import { classes } from "@keepsats/ui/classes.ts";
import { Link } from "@keepsats/ui/link.tsx";
import { useEffect } from "react";
import { Route, Routes, useLocation } from "react-router";
import { Empty } from "../../ui/loaded.tsx";
import { Screen } from "../../ui/screen.tsx";
import { MachineSection } from "./machine-section.tsx";
import { MailSection } from "./mail-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { sectionAt, sections } from "./settings-sections.ts";
import { ShopSection } from "./shop-section.tsx";
import { StaffSection } from "./staff-section.tsx";
import { TokensSection } from "./tokens-section.tsx";
import { WebhooksSection } from "./webhooks-section.tsx";

/** The settings: of the shop, of who may do what, and of what the shop tells others. */
export default function SettingsScreen() {
  const { pathname } = useLocation();
  const section = sectionAt(pathname);
  useEffect(() => {
    if (section !== undefined && section.path !== "") document.title = `${section.label} · Settings · Desk`;
    else document.title = "Settings · Desk";
  }, [section]);
  return (
    <Screen title="Settings">
      <nav aria-label="Settings" className="mb-6">
        <ul className="flex flex-wrap gap-x-1 gap-y-1">
          {sections.map(({ path, label }) => (
            <li key={path}>
              <Link
                to={path === "" ? "/settings" : `/settings/${path}`}
                aria-current={section?.path === path ? "page" : undefined}
                className={classes(
                  "flex min-h-11 items-center rounded-md px-3 transition-colors hover:bg-sunken",
                  section?.path === path ? "bg-sunken font-medium" : "text-ink-soft",
                )}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Routes>
        <Route index element={<ShopSection />} />
        <Route path="mail" element={<MailSection />} />
        <Route path="webhooks" element={<WebhooksSection />} />
        <Route path="staff" element={<StaffSection />} />
        <Route path="sessions" element={<SessionsSection />} />
        <Route path="tokens" element={<TokensSection />} />
        <Route path="machine" element={<MachineSection />} />
        <Route path="*" element={<Empty>The settings have no such section.</Empty>} />
      </Routes>
    </Screen>
  );
}
