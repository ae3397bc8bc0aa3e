import { call, send } from "@keepsats/client";
import {
  createdTokenSchema,
  type NewToken,
  newTokenSchema,
  paths,
  type Token,
  withId,
} from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/time.tsx";
import { Permitted } from "./permitted.tsx";
import { Question } from "./question.tsx";
import { LEAST_ROLE, RoleFields, roleWords } from "./role-fields.tsx";
import { Row, Rows } from "./rows.tsx";
import { tokensQuery } from "./settings-queries.ts";
import { ShownOnce, useDropWhenGone } from "./shown-once.tsx";
import { useAction } from "./use-action.ts";

/** The tokens with which programs use the merchant API. */
export function TokensSection() {
  return (
    <Permitted permission="tokens:manage" what="see, create and revoke API tokens">
      <Section title="API tokens">
        <Tokens />
      </Section>
      <Section title="New token">
        <NewTokenPart />
      </Section>
    </Permitted>
  );
}

function Tokens() {
  const query = useQuery(tokensQuery);
  return (
    <Loaded query={query} what="The tokens">
      {({ tokens }) =>
        tokens.length === 0 ? (
          <Empty>There are no tokens beside that of the machine's settings.</Empty>
        ) : (
          <Rows label="API tokens">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </Rows>
        )
      }
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
          {roleWords(role)}, made by {created_by} <Time at={created_at} />,{" "}
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
        <Question
          button="Withdraw"
          about={name}
          title={`Withdraw the token ${name}?`}
          confirm="Withdraw"
          done={`${name} is withdrawn`}
          rereads={[tokensQuery.queryKey]}
          change={() => send({ path: withId(paths.merchant.token, id), method: "DELETE" })}
        >
          All servers refuse it within a second. A program that still uses it stops working.
        </Question>
      }
    />
  );
}

function NewTokenPart() {
  const { run, data, reset } = useAction(createToken, {
    rereads: [tokensQuery.queryKey],
    done: "Token made",
  });
  const query = useQuery(tokensQuery);
  useDropWhenGone({ made: data, query, listed: ({ tokens }) => tokens, drop: reset });
  if (data === undefined) return <NewTokenForm save={run} />;
  return (
    <ShownOnce label={`Token ${data.name}`} secret={data.token} onClose={reset}>
      It is shown this once. A program sends it in the header Authorization, behind the word Bearer.
    </ShownOnce>
  );
}

function NewTokenForm({ save }: { save: typeof createToken }) {
  const form = useNewForm({
    schema: newTokenSchema,
    labels: { name: "Name", role: "Role" },
    values: { name: "", role: LEAST_ROLE },
    save,
  });
  return (
    <div className="max-w-lg">
      <ChangeForm form={form} submit="Make a token">
        <TextField
          form={form}
          name="name"
          maxLength={60}
          autoComplete="off"
          hint="The history of an order names it."
        />
        <RoleFields field={form.register("role")} />
      </ChangeForm>
    </div>
  );
}

function createToken(body: NewToken) {
  return call({ path: paths.merchant.tokens, method: "POST", body, answer: createdTokenSchema });
}
