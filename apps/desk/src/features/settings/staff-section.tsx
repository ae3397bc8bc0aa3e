import { call, send } from "@keepsats/client";
import {
  deskLinkSchema,
  invitedStaffMemberSchema,
  type NewStaffMember,
  newStaffMemberSchema,
  paths,
  type StaffMember,
  withId,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { emptyAs, useNewForm } from "../../lib/form.ts";
import { useSession } from "../../lib/session.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/time.tsx";
import { Permitted } from "./permitted.tsx";
import { Question } from "./question.tsx";
import { LEAST_ROLE, RoleFields, roleWords } from "./role-fields.tsx";
import { Row, Rows } from "./rows.tsx";
import { sessionsQuery, staffQuery } from "./settings-queries.ts";
import { ShownOnce, useDropWhenGone } from "./shown-once.tsx";
import { StaffPasskeys } from "./staff-passkeys.tsx";
import { useAction } from "./use-action.ts";

/** Who may sign in at the desk. */
export function StaffSection() {
  return (
    <Section title="Staff">
      <Permitted permission="staff:manage" what="see, invite and remove staff">
        <Staff />
      </Permitted>
    </Section>
  );
}

function Staff() {
  const query = useQuery(staffQuery);
  return (
    <>
      <Invite />
      <Loaded query={query} what="The staff">
        {({ staff }) => (
          <Rows label="Staff">
            {staff.map((member) => (
              <Member key={member.id} member={member} />
            ))}
          </Rows>
        )}
      </Loaded>
    </>
  );
}

function Member({ member }: { member: StaffMember }) {
  const { id, name, email, role, signed_in_at, passkeys } = member;
  const session = useSession();
  const isSelf = session.staff.id === id;
  const link = useAction(() => newLink(id), { rereads: [] });
  const [isOpen, setIsOpen] = useState(false);
  const passkeysId = useId();
  return (
    <Row
      title={isSelf ? `${name} (you)` : name}
      detail={
        <>
          {roleWords(role)}
          {email !== null && `, ${email}`},{" "}
          {signed_in_at === null ? (
            "never signed in"
          ) : (
            <>
              signed in <Time at={signed_in_at} />
            </>
          )}
          , {passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`}
        </>
      }
      actions={
        <>
          <Button
            aria-label={`New sign-in link for ${name}`}
            disabled={link.isPending}
            onClick={() => link.mutate()}
          >
            New sign-in link
          </Button>
          {!isSelf && (passkeys > 0 || isOpen) && (
            <Button
              aria-expanded={isOpen}
              aria-controls={passkeysId}
              onClick={() => setIsOpen(!isOpen)}
            >
              Passkeys<span className="sr-only"> of {name}</span>
            </Button>
          )}
          {!isSelf && (
            <Question
              button="Withdraw"
              about={name}
              title={`Withdraw ${name}?`}
              confirm="Withdraw"
              done={`${name} is withdrawn`}
              rereads={[staffQuery.queryKey, sessionsQuery.queryKey]}
              change={() =>
                send({ path: withId(paths.merchant.staffMember, id), method: "DELETE" })
              }
            >
              {name} is signed out everywhere at once, and cannot sign in any more. What they have
              done stays in the histories.
            </Question>
          )}
        </>
      }
    >
      {link.failure !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {link.failure}
        </p>
      )}
      <div id={passkeysId} className={isOpen ? "pt-3 pl-4" : undefined}>
        {isOpen && <StaffPasskeys member={member} />}
      </div>
      {link.data !== undefined && (
        <ShownOnce label={`Sign-in link for ${name}`} secret={link.data.link} onClose={link.reset}>
          It is shown this once, and signs in once until <Time at={link.data.expires_at} />.
        </ShownOnce>
      )}
    </Row>
  );
}

function Invite() {
  const [isOpen, setIsOpen] = useState(false);
  const { run, data, reset } = useAction(invite, {
    rereads: [staffQuery.queryKey],
    done: "Invited",
  });
  const query = useQuery(staffQuery);
  useDropWhenGone({ made: data, query, listed: ({ staff }) => staff, drop: reset });
  const close = () => setIsOpen(false);
  if (data !== undefined)
    return (
      <ShownOnce label={`Sign-in link for ${data.name}`} secret={data.link} onClose={reset}>
        It is shown this once, and signs in once until <Time at={data.expires_at} />.{" "}
        {data.mailed
          ? `It was mailed to ${data.email} too.`
          : "Give it to them by a way that only they read."}
      </ShownOnce>
    );
  if (isOpen) return <InviteForm save={(member) => run(member).then(close)} onCancel={close} />;
  return (
    <div className="pb-4">
      <Button kind="strong" onClick={() => setIsOpen(true)}>
        Invite somebody
      </Button>
    </div>
  );
}

const inviteSchema = z.extend(newStaffMemberSchema, {
  email: emptyAs(undefined, newStaffMemberSchema.shape.email),
});

interface InviteFormProps {
  readonly save: (member: NewStaffMember) => Promise<void>;
  readonly onCancel: () => void;
}

function InviteForm({ save, onCancel }: InviteFormProps) {
  const headingId = useId();
  const form = useNewForm({
    schema: inviteSchema,
    labels: { name: "Name", email: "Email", role: "Role" },
    values: { name: "", email: "", role: LEAST_ROLE },
    save,
  });
  return (
    <section aria-labelledby={headingId} className="mb-5 max-w-lg">
      <h3 id={headingId} className="mb-3">
        Invite somebody
      </h3>
      <ChangeForm form={form} submit="Invite" onCancel={onCancel}>
        <TextField form={form} name="name" maxLength={60} autoComplete="off" />
        <TextField
          form={form}
          name="email"
          type="email"
          autoComplete="off"
          hint="May stay empty: then you pass on the link yourself."
        />
        <RoleFields field={form.register("role")} />
      </ChangeForm>
    </section>
  );
}

function invite(body: NewStaffMember) {
  return call({
    path: paths.merchant.staff,
    method: "POST",
    body,
    answer: invitedStaffMemberSchema,
  });
}

function newLink(staff_id: string) {
  return call({
    path: paths.merchant.deskLinks,
    method: "POST",
    body: { staff_id },
    answer: deskLinkSchema,
  });
}
