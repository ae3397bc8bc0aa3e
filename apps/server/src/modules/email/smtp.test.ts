import { isEmailAddress, recipientOf } from "@keepsats/domain";
import fc from "fast-check";
import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { spellingsOf } from "./smtp.ts";

/** The envelope recipients that the mail library derives from an address. */
async function envelopeOf(address: string): Promise<string[]> {
  const transport = createTransport({ streamTransport: true });
  const sent = await transport.sendMail({
    from: "shop@shop.example",
    to: { name: "", address },
    text: "-",
  });
  return sent.envelope.to;
}

test("the mail library puts exactly the recipient of every valid address into the envelope", async () => {
  const typed = fc.oneof(
    fc.emailAddress(),
    fc.stringMatching(/^[ab.+'<>,"@ü-]{1,6}@[a-c.ü,>-]{1,6}\.org[.,>]?$/),
  );
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      const recipient = recipientOf(text);
      fc.pre(recipient !== undefined);
      const [written, ...more] = await envelopeOf(recipient);
      expect(spellingsOf(recipient)).toContain(written);
      expect(more).toEqual([]);
    }),
  );
});

test.each(["<a@b.org>", "a..b@c.org", ".a@b.org", "a.@b.org"])(
  "an address that the mail library would change, such as %s, is invalid",
  async (text) => {
    expect(await envelopeOf(text)).not.toEqual([text]);
    expect(isEmailAddress(text)).toBe(false);
  },
);

test("a response may name an internationalized domain in ASCII or in Unicode", () => {
  expect(spellingsOf("ada@xn--bcher-kva.example")).toEqual([
    "ada@xn--bcher-kva.example",
    "ada@bücher.example",
  ]);
});
