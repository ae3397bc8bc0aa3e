import { send } from "@keepsats/client";
import {
  hasPermission,
  paths,
  type StaffSession,
  staffSessionsSchema,
  withId,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "../../../lib/api.ts";
import { browserLabel } from "../../../lib/browser-name.ts";
import { useSession } from "../../../lib/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { Failure, Row, Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time } from "../../../ui/values.tsx";
import { OwnPasskeys } from "./passkeys.tsx";

/** The sessions of all staff, or only the caller's own, depending on the role. */
const sessionsQuery = apiQuery(paths.admin.sessions, staffSessionsSchema, ["sessions"]);

export function SessionsSection() {
  const { role } = useSession().staff;
  const query = useQuery(sessionsQuery);
  return (
    <>
      <Section title={hasPermission(role, "sessions:all") ? "Sessions" : "Your sessions"}>
        <p className="mb-3 text-ink-soft">
          Sessions end after a week without use, or after 90 days.
        </p>
        <Loaded query={query} subject="The sessions">
          {({ sessions }) => (
            <Rows label="Sessions">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Section>
      <OwnPasskeys />
    </>
  );
}

function SessionRow({ session }: { session: StaffSession }) {
  const { id, name, browser, created_at, used_at, current } = session;
  const label = browserLabel(browser);
  const { mutate, isPending, failure } = useAction(
    () => send({ path: withId(paths.admin.session, id), method: "DELETE" }),
    "Session ended",
  );
  return (
    <Row
      title={`${name}: ${label}`}
      detail={
        <>
          {current ? "this browser, " : ""}since <Time at={created_at} />, used{" "}
          <Time at={used_at} />
        </>
      }
      actions={
        !current && (
          <Button
            aria-label={`End the session of ${name}, ${label}`}
            disabled={isPending}
            onClick={() => mutate()}
          >
            End
          </Button>
        )
      }
    >
      <Failure text={failure} />
    </Row>
  );
}
