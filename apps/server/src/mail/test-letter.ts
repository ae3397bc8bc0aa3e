import type { Letter } from "./letter.ts";
import { createSendAtOnce, type SendAtOnceNeeds } from "./send-at-once.ts";

const letter: Letter = {
  subject: "A test letter of your shop",
  title: "Mail works",
  blocks: [
    { kind: "text", text: "Your shop can send mail, and this is how its letters look." },
    {
      kind: "text",
      text: "Is it among the spam? Then look at the SPF, DKIM and DMARC records of your domain.",
    },
  ],
};

/** Creates the function that sends a letter that only says that mail works, at once and once. */
export function createSendTestLetter(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string) => {
    const { kind, answer } = await send(to, letter);
    return { isAccepted: kind === "delivered", answer };
  };
}
