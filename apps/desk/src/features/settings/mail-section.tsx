import { paths, testLetterAnswerSchema } from "@keepsats/protocol";
import { call } from "../../lib/api.ts";
import { useSession } from "../../lib/session.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { Input } from "../../ui/input.tsx";
import { Section } from "../../ui/screen.tsx";
import { Deliveries } from "./delivery-rows.tsx";
import { Permitted } from "./permitted.tsx";
import { givenUpQuery } from "./settings-queries.ts";
import { useAction } from "./use-action.ts";

/** Whether mail works, and what does not arrive. */
export function MailSection() {
  return (
    <>
      <Section title="Test letter">
        <Permitted permission="emails:test" what="send test letters">
          <TestLetter />
        </Permitted>
      </Section>
      <Section title="What does not arrive">
        <p className="mb-3 text-ink-soft">
          Letters and messages to webhooks that the shop has given up. It tries for some time before.
        </p>
        <Deliveries
          query={givenUpQuery}
          path={paths.merchant.deliveries}
          label="What was given up"
          none="Everything has arrived so far."
        />
      </Section>
    </>
  );
}

function TestLetter() {
  const { staff } = useSession();
  const { mutate, isPending, failure, data } = useAction(sendTestLetter, { rereads: [] });
  const refusal = data?.accepted === false ? `No letter was sent: ${data.answer}` : undefined;
  return (
    <div className="max-w-lg">
      <ChangeForm
        submit="Send a test letter"
        isPending={isPending}
        failure={failure ?? refusal}
        onSubmit={({ to = "" }) => mutate(to)}
      >
        <Input
          label="To"
          name="to"
          type="email"
          required
          autoComplete="email"
          defaultValue={staff.email ?? ""}
        />
      </ChangeForm>
      <p role="status" className="pt-3 wrap-anywhere">
        {data?.accepted === true && !isPending ? `The mail server has taken the letter: ${data.answer}` : ""}
      </p>
    </div>
  );
}

function sendTestLetter(to: string) {
  return call({
    path: paths.merchant.testLetter,
    method: "POST",
    body: { to },
    answer: testLetterAnswerSchema,
  });
}
