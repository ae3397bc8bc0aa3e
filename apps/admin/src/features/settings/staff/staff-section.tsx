import {
  createdSignInLinkSchema,
  invitedStaffMemberSchema,
  type NewStaffMember,
  newStaffMemberSchema,
  paths,
  type StaffMember,
  staffSchema,
  withId,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { apiQuery, post } from "../../../lib/api.ts";
import { counted } from "../../../lib/format.ts";
import { useNewForm } from "../../../lib/forms/form.ts";
import { emptyAs } from "../../../lib/forms/form-schema.ts";
import { signInOptionsQuery } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import { ChangeForm, FormOpener } from "../../../ui/forms/change-form.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Failure, Row, Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time, TimeAfter } from "../../../ui/values.tsx";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { DEFAULT_ROLE, RoleFields, roleLabel } from "../role-fields.tsx";
import { StaffPasskeys } from "../sessions/passkeys.tsx";

const staffQuery = apiQuery(paths.admin.staff, staffSchema, ["sessions", "settings"]);

export function StaffSection() {
  const query = useQuery(staffQuery);
  return (
    <Section title="Staff">
      <NoEmailHint />
      <Invite />
      <Loaded query={query} subject="The staff list">
        {({ staff }) => (
          <Rows label="Staff">
            {staff.map((member) => (
              <Member key={member.id} member={member} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

/** For an owner who cannot get sign-in links by email. */
function NoEmailHint() {
  const { email } = useSession().staff;
  const { data: options } = useQuery(signInOptionsQuery);
  if (email !== null || options?.emails_links !== true) return null;
  return (
    <p className="mb-3 max-w-prose text-ink-soft">
      Your account has no email address. Invite yourself as an owner with your address to sign in by
      email.
    </p>
  );
}

function Member({ member }: { member: StaffMember }) {
  const { id, name, email, role, signed_in_at, passkeys } = member;
  const session = useSession();
  const isSelf = session.staff.id === id;
  const link = useAction(() =>
    post(paths.admin.signInLinks, { staff_id: id }, createdSignInLinkSchema),
  );
  const [isOpen, setIsOpen] = useState(false);
  const passkeysId = useId();
  return (
    <Row
      title={isSelf ? `${name} (you)` : name}
      detail={
        <>
          {roleLabel(role)}
          {email !== null && `, ${email}`},{" "}
          <TimeAfter text="signed in " at={signed_in_at} none="never signed in" />,{" "}
          {counted(passkeys, "passkey")}
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
            <DeleteButton
              action="Remove"
              about={name}
              title={`Remove ${name}?`}
              done={`${name} removed`}
              path={withId(paths.admin.staffMember, id)}
            >
              {name} is signed out everywhere and can no longer sign in. Their changes stay in the
              histories.
            </DeleteButton>
          )}
        </>
      }
    >
      <Failure text={link.failure} />
      <div id={passkeysId} className={isOpen ? "pt-3 pl-4" : undefined}>
        {isOpen && <StaffPasskeys member={member} />}
      </div>
      {link.data !== undefined && (
        <OneTimeSecret
          label={`Sign-in link for ${name}`}
          secret={link.data.link}
          onClose={link.reset}
        >
          Shown only once. The link works once, until <Time at={link.data.expires_at} />.
        </OneTimeSecret>
      )}
    </Row>
  );
}

function Invite() {
  const { run, data, reset } = useAction(inviteStaff, "Staff invited");
  if (data === undefined)
    return (
      <FormOpener button="Invite staff" title="Invite staff">
        {(close) => <InviteForm save={run} onCancel={close} />}
      </FormOpener>
    );
  return (
    <OneTimeSecret label={`Sign-in link for ${data.name}`} secret={data.link} onClose={reset}>
      Shown only once. The link works once, until <Time at={data.expires_at} />.{" "}
      {data.emailed
        ? `It was also emailed to ${data.email}.`
        : "Send it to them through a private channel."}
    </OneTimeSecret>
  );
}

function inviteStaff(body: NewStaffMember) {
  return post(paths.admin.staff, body, invitedStaffMemberSchema);
}

const inviteSchema = z.extend(newStaffMemberSchema, {
  email: emptyAs(undefined, newStaffMemberSchema.shape.email),
});

function InviteForm({ save, onCancel }: { save: typeof inviteStaff; onCancel: () => void }) {
  const form = useNewForm({
    schema: inviteSchema,
    labels: { name: "Name", email: "Email", role: "Role" },
    values: { name: "", email: "", role: DEFAULT_ROLE },
    save,
  });
  return (
    <ChangeForm form={form} submit="Invite" onCancel={onCancel}>
      <TextField form={form} name="name" maxLength={60} autoComplete="off" />
      <TextField
        form={form}
        name="email"
        type="email"
        autoComplete="off"
        hint="Optional. Without an email address you pass on the link yourself."
      />
      <RoleFields field={form.register("role")} />
    </ChangeForm>
  );
}
