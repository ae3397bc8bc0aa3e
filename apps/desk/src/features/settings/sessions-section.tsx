import { send } from "@keepsats/client";
import { hasPermission, paths, type StaffSession, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { browserWords } from "../../lib/browser-name.ts";
import { useSession } from "../../lib/session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/time.tsx";
import { OwnPasskeys } from "./own-passkeys.tsx";
import { Row, Rows } from "./rows.tsx";
import { sessionsQuery } from "./settings-queries.ts";
import { useAction } from "./use-action.ts";

/** The sessions that the role may see, and the passkeys of the signed-in member. */
export function SessionsSection() {
  const { role } = useSession().staff;
  const query = useQuery(sessionsQuery);
  return (
    <>
      <Section title={hasPermission(role, "sessions:all") ? "Sessions" : "Your sessions"}>
        <p className="mb-3 text-ink-soft">
          A session ends after a week without use, and after 90 days.
        </p>
        <Loaded query={query} what="The sessions">
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
  const words = browserWords(browser);
  const { mutate, isPending, failure } = useAction(
    () => send({ path: withId(paths.merchant.session, id), method: "DELETE" }),
    { rereads: [sessionsQuery.queryKey], done: "Session ended" },
  );
  return (
    <Row
      title={`${name}: ${words}`}
      detail={
        <>
          {current ? "this browser, " : ""}since <Time at={created_at} />, used{" "}
          <Time at={used_at} />
        </>
      }
      actions={
        !current && (
          <Button
            aria-label={`End the session of ${name}, ${words}`}
            disabled={isPending}
            onClick={() => mutate()}
          >
            End
          </Button>
        )
      }
    >
      {failure !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {failure}
        </p>
      )}
    </Row>
  );
}
