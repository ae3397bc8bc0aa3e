import * as z from "zod/mini";
import {
  type Answer,
  type ConnectProvider,
  type Loan,
  unrecognizedAnswer,
} from "../../loans/loan-provider-api.ts";
import { readEntry } from "../entry.ts";
import { chunksOf, createHttpApi, readJson } from "../http-api.ts";
import { readContract } from "./contract.ts";

const accountSchema = z.object({ id: z.string().check(z.minLength(1)) });
/** The longest answer about one contract or the account, in decompressed bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** No such contract, or an id that no contract can have: anyone can present any id. */
const NO_CONTRACT: readonly number[] = [400, 404, 422];

/**
 * The adapter of a provider whose loans are the contracts of `GET /api/contracts`. Its API is
 * described in `docs/loan-provider.md`.
 */
export const connectContractsApi: ConnectProvider = ({ apiUrl, apiKey, timeouts, onTime }) => {
  const http = createHttpApi({ url: apiUrl, headers: { "x-api-key": apiKey }, onTime });
  return {
    lenderId: (signal) => http.get("/api/users/me", { signal, read: readLenderId }),
    loan: (id, signal) =>
      http.get(`/api/contracts/${encodeURIComponent(id)}`, {
        signal,
        absentAt: NO_CONTRACT,
        read: readLoan,
      }),
    loans: ({ signal, onPart }) =>
      http.get("/api/contracts", {
        signal,
        beginsWithin: timeouts.stalled,
        async read(response) {
          // The stream parser is loaded with the first list, so that it does not delay the start.
          const { readContractList } = await import("./contract-list.ts");
          return {
            kind: "found",
            value: await readContractList(chunksOf(response, timeouts.stalled), onPart),
          };
        },
      }),
  };
};

async function readLenderId(response: Response): Promise<Answer<string>> {
  const account = readEntry(accountSchema, await readJson(response, MAX_ANSWER_BYTES));
  return "shape" in account ? unrecognizedAnswer(account) : { kind: "found", value: account.id };
}

async function readLoan(response: Response): Promise<Answer<Loan>> {
  const loan = readContract(await readJson(response, MAX_ANSWER_BYTES));
  return "shape" in loan ? unrecognizedAnswer(loan) : { kind: "found", value: loan };
}
