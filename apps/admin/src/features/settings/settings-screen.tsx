import { classes } from "@keepsats/ui/classes.ts";
import { type FunctionComponent, useEffect } from "react";
import { Link, Navigate, useLocation } from "react-router";
import { useSession } from "../../lib/session.ts";
import { Empty } from "../../ui/loaded.tsx";
import { Permitted } from "../../ui/permitted.tsx";
import { Screen } from "../../ui/screen.tsx";
import { EmailSection } from "./email/email-section.tsx";
import { ServerSection } from "./server/server-section.tsx";
import { SessionsSection } from "./sessions/sessions-section.tsx";
import { groupsFor, sectionAt, sectionPath } from "./settings-sections.ts";
import { ShopSection } from "./shop/shop-section.tsx";
import { StaffSection } from "./staff/staff-section.tsx";
import { TokensSection } from "./tokens/tokens-section.tsx";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";

const contents: Readonly<Record<string, FunctionComponent>> = {
  "": ShopSection,
  email: EmailSection,
  staff: StaffSection,
  sessions: SessionsSection,
  webhooks: WebhooksSection,
  tokens: TokensSection,
  server: ServerSection,
};

export default function SettingsScreen() {
  const { pathname } = useLocation();
  const { role } = useSession().staff;
  const groups = groupsFor(role);
  const first = groups[0]?.sections[0];
  const section = sectionAt(pathname);
  const Section = section && contents[section.path];
  useEffect(() => {
    if (section !== undefined && section.path !== "")
      document.title = `${section.label} · Settings · Admin`;
    else document.title = "Settings · Admin";
  }, [section]);
  // The shop settings are the first section for owners only.
  if (section?.path === "" && first !== undefined && first !== section)
    return <Navigate to={sectionPath(first)} replace />;
  return (
    <Screen title="Settings">
      <nav aria-label="Settings" className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-1">
        {groups.map(({ title, sections }) => (
          <div key={title ?? ""} className="flex flex-wrap items-center gap-x-1">
            {title !== undefined && (
              <p aria-hidden className="px-3 text-sm text-ink-soft">
                {title}
              </p>
            )}
            <ul aria-label={title} className="flex flex-wrap gap-1">
              {sections.map((listed) => (
                <li key={listed.path}>
                  <Link
                    to={sectionPath(listed)}
                    aria-current={section === listed ? "page" : undefined}
                    className={classes(
                      "flex min-h-11 items-center rounded-md px-3 transition-colors hover:bg-sunken",
                      section === listed ? "bg-sunken font-medium" : "text-ink-soft",
                    )}
                  >
                    {listed.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {section === undefined || Section === undefined ? (
        <Empty>This section does not exist.</Empty>
      ) : (
        <Permitted permission={section.permission} action="see this section">
          <Section />
        </Permitted>
      )}
    </Screen>
  );
}
