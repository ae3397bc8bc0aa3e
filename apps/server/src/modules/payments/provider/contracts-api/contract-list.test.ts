import { expect, test } from "vitest";
import type { LoanPart } from "../../loans/loan-provider.ts";
import { readContractList } from "./contracts-api.ts";

const contract = (id: string) => ({
  id,
  status: "Requested",
  loan_amount: "45.00",
  loan_asset: "UsdcPol",
  client_contract_id: null,
});

async function* inChunks(text: string, size = text.length): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

async function read(chunks: AsyncIterable<Uint8Array>) {
  const parts: LoanPart[] = [];
  const entries = await readContractList(chunks, async (part) => void parts.push(part));
  return {
    entries,
    sizes: parts.map(({ loans }) => loans.length),
    ids: parts.flatMap(({ loans }) => loans),
  };
}

test("the entries of a list come in parts of a hundred, and the rest in a last part", async () => {
  const ids = Array.from({ length: 250 }, (_, index) => `c${index}`);
  const list = JSON.stringify(ids.map(contract));
  const whole = await read(inChunks(list));
  expect(whole).toMatchObject({ entries: 250, sizes: [100, 100, 50] });
  expect(whole.ids.map(({ id }) => id)).toEqual(ids);
  expect(await read(inChunks(list, 1_000))).toEqual(whole);
});

test("a list may be longer than the longest entry", async () => {
  const entry = JSON.stringify({ ...contract("c"), note: "x".repeat(10 * 1024) });
  const list = `[${Array(300).fill(entry).join()}]`;
  expect(await read(inChunks(list, 4 * 1024))).toMatchObject({ entries: 300 });
});

test("an entry of more than two mebibytes is refused", async () => {
  const entry = JSON.stringify({ ...contract("c"), note: "x".repeat(2 * 1024 * 1024) });
  await expect(read(inChunks(`[${entry}]`, 64 * 1024))).rejects.toThrow("too long");
});

test.each(["{}", "[", '[{"id":"c1"}', "7", ""])("%j is not a whole list", async (text) => {
  await expect(read(inChunks(text))).rejects.toThrow();
});
