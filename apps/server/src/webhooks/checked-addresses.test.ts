import { expect, test } from "vitest";
import { checkedAddresses } from "./checked-addresses.ts";

const answers = (...addresses: string[]) => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { asked, resolve };
};
const url = new URL("https://books.example:8443/hooks");

test("a host is resolved once, and its public addresses are left", async () => {
  const { asked, resolve } = answers("127.0.0.1", "1.1.1.1", "::ffff:10.0.0.1", "2606:4700::1");
  expect(await checkedAddresses(url, { isPrivateAllowed: false, resolve })).toEqual([
    { address: "1.1.1.1", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ]);
  expect(asked).toEqual(["books.example"]);
});

test("a name that resolves to a private address on the second look is refused then", async () => {
  const first = answers("1.1.1.1");
  const second = answers("127.0.0.1");
  await checkedAddresses(url, { isPrivateAllowed: false, resolve: first.resolve });
  await expect(
    checkedAddresses(url, { isPrivateAllowed: false, resolve: second.resolve }),
  ).rejects.toThrow("books.example has no public address");
});

test("without the setting http: is refused before anything is resolved", async () => {
  const { asked, resolve } = answers("1.1.1.1");
  const http = new URL("http://books.example");
  await expect(checkedAddresses(http, { isPrivateAllowed: false, resolve })).rejects.toThrow(
    "https://",
  );
  expect(asked).toEqual([]);
});

test("with the setting private addresses are left, and literals are resolved without brackets", async () => {
  const { asked, resolve } = answers("::1");
  const literal = new URL("http://[::1]:4000");
  const found = await checkedAddresses(literal, { isPrivateAllowed: true, resolve });
  expect(found).toEqual([{ address: "::1", family: 6 }]);
  expect(asked).toEqual(["::1"]);
});
