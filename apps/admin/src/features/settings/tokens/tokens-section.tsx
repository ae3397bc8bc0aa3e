import { call, send } from "@keepsats/client";
import {
  createdTokenSchema,
  type NewToken,
  newTokenSchema,
  paths,
  type Token,
  tokensSchema,
  withId,
} from "@keepsats/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNewForm } from "../../../lib/form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ChangeForm } from "../../../ui/change-form.tsx";
import { ConfirmButton } from "../../../ui/confirm-button.tsx";
import { TextField } from "../../../ui/form-fields.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Row, Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time } from "../../../ui/values.tsx";
import { OneTimeSecret, useDropWhenDeleted } from "../one-time-secret.tsx";
import { DEFAULT_ROLE, RoleFields, roleLabel } from "../role-fields.tsx";

/** The tokens of programs that use the admin API. */
export function TokensSection() {
  return (
    <>
      <Section title="API tokens">
        <Tokens />
      </Section>
      <Section title="New token">
        <AddToken />
      </Section>
    </>
  );
}

function Tokens() {
  const query = useQuery(tokensQuery);
  return (
    <Loaded query={query} subject="The tokens">
      {({ tokens }) => (
        <Rows label="API tokens" none="No tokens yet. The server's ADMIN_TOKEN is not listed here.">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </Rows>
      )}
    </Loaded>
  );
}

function TokenRow({
  token: { id, name, role, created_by, created_at, used_at },
}: {
  token: Token;
}) {
  return (
    <Row
      title={name}
      detail={
        <>
          {roleLabel(role)}, created by {created_by} <Time at={created_at} />,{" "}
          {used_at === null ? (
            "never used"
          ) : (
            <>
              used <Time at={used_at} />
            </>
          )}
        </>
      }
      actions={
        <ConfirmButton
          action="Revoke"
          about={name}
          title={`Revoke the token ${name}?`}
          done={`${name} was revoked`}
          invalidates={[tokensQuery.queryKey]}
          change={() => revokeToken(id)}
        >
          All servers refuse it within a second. Programs that still use it stop working.
        </ConfirmButton>
      }
    />
  );
}

function AddToken() {
  const { run, data, reset } = useAction(createToken, {
    invalidates: [tokensQuery.queryKey],
    done: "Token created",
  });
  const list = useQuery({ ...tokensQuery, select: ({ tokens }) => tokens });
  useDropWhenDeleted(data, list, reset);
  if (data === undefined) return <NewTokenForm save={run} />;
  return (
    <OneTimeSecret label={`Token ${data.name}`} secret={data.token} onClose={reset}>
      Shown only once. Programs send it in the header “Authorization: Bearer …”.
    </OneTimeSecret>
  );
}

function NewTokenForm({ save }: { save: typeof createToken }) {
  const form = useNewForm({
    schema: newTokenSchema,
    labels: { name: "Name", role: "Role" },
    values: { name: "", role: DEFAULT_ROLE },
    save,
  });
  return (
    <div className="max-w-lg">
      <ChangeForm form={form} submit="Create token">
        <TextField
          form={form}
          name="name"
          maxLength={60}
          autoComplete="off"
          hint="Shown in the history of the orders that it changes."
        />
        <RoleFields field={form.register("role")} />
      </ChangeForm>
    </div>
  );
}

const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.admin.tokens, answer: tokensSchema, signal }),
});

function createToken(body: NewToken) {
  return call({ path: paths.admin.tokens, method: "POST", body, answer: createdTokenSchema });
}

function revokeToken(id: string) {
  return send({ path: withId(paths.admin.token, id), method: "DELETE" });
}
