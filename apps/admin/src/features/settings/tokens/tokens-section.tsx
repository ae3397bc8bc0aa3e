import {
  createdTokenSchema,
  type NewToken,
  newTokenSchema,
  paths,
  type Token,
  tokensSchema,
  withId,
} from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { apiQuery, post } from "../../../lib/api.ts";
import { useNewForm } from "../../../lib/forms/form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import { ChangeForm } from "../../../ui/forms/change-form.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Row, Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time, TimeAfter } from "../../../ui/values.tsx";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { DEFAULT_ROLE, RoleFields, roleLabel } from "../role-fields.tsx";

const tokensQuery = apiQuery(paths.admin.tokens, tokensSchema, ["settings"]);

export function TokensSection() {
  const query = useQuery(tokensQuery);
  return (
    <>
      <Section title="API tokens">
        <Loaded query={query} subject="The tokens">
          {({ tokens }) => (
            <Rows
              label="API tokens"
              none="No tokens yet. The server's ADMIN_TOKEN is not listed here."
            >
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Section>
      <Section title="New token">
        <AddToken />
      </Section>
    </>
  );
}

function TokenRow({ token }: { token: Token }) {
  const { id, name, role, created_by, created_at, used_at } = token;
  return (
    <Row
      title={name}
      detail={
        <>
          {roleLabel(role)}, created by {created_by} <Time at={created_at} />,{" "}
          <TimeAfter text="used " at={used_at} none="never used" />
        </>
      }
      actions={
        <DeleteButton
          action="Revoke"
          about={name}
          title={`Revoke the token ${name}?`}
          done={`${name} revoked`}
          path={withId(paths.admin.token, id)}
        >
          All servers refuse it within a second. Programs that still use it stop working.
        </DeleteButton>
      }
    />
  );
}

function AddToken() {
  const { run, data, reset } = useAction(createToken, "Token created");
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

function createToken(token: NewToken) {
  return post(paths.admin.tokens, token, createdTokenSchema);
}
