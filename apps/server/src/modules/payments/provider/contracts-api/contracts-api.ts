import * as z from "zod/mini";
import type { ConnectProvider } from "../../loans/loan-provider-api.ts";
import { chunksOf, createHttpApi, decodedBy } from "../http-api.ts";
import { contractLoanSchema } from "./contract.ts";

const lenderIdSchema = z.pipe(
  z.object({ id: z.string().check(z.minLength(1)) }),
  z.transform(({ id }) => id),
);
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
    lenderId: (signal) =>
      http.get("/api/users/me", {
        signal,
        read: decodedBy(lenderIdSchema, MAX_ANSWER_BYTES),
      }),
    loan: (id, signal) =>
      http.get(`/api/contracts/${encodeURIComponent(id)}`, {
        signal,
        absentAt: NO_CONTRACT,
        read: decodedBy(contractLoanSchema, MAX_ANSWER_BYTES),
      }),
    loans: ({ signal, onPart }) =>
      http.get("/api/contracts", {
        signal,
        beginsWithin: timeouts.listStallTimeout,
        async read(response) {
          // The stream parser is loaded with the first list, so that it does not delay the start.
          const { readContractList } = await import("./contract-list.ts");
          return {
            kind: "found",
            value: await readContractList(chunksOf(response, timeouts.listStallTimeout), onPart),
          };
        },
      }),
  };
};
