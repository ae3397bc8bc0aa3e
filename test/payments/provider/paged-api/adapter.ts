import type { LoanState } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { ConnectProvider } from "../../../../apps/server/src/modules/payments/index.ts";
import type {
  Answer,
  Loan,
  LoanPart,
  UnrecognizedEntry,
} from "../../../../apps/server/src/modules/payments/loans/loan-provider.ts";
import {
  createHttpApi,
  decode,
  decodedBy,
  orderIdSchema,
  plainText,
  readJson,
} from "../../../../apps/server/src/modules/payments/provider/http-api.ts";

const LONGEST_ANSWER = 1024 * 1024;
const lenderIdSchema = z.pipe(
  z.object({ account: z.object({ no: plainText(100) }) }),
  z.transform(({ account }) => account.no),
);
const pageSchema = z.object({ loans: z.array(z.unknown()), next: z.nullable(z.int()) });
const reportSchema = z.object({
  no: plainText(100),
  ref: orderIdSchema,
  /** In cents. */
  minor: z.int().check(z.nonnegative()),
  unit: plainText(10),
  state: plainText(40),
  /** In epoch seconds. */
  changed: z.int(),
});

const states: ReadonlyMap<string, LoanState> = new Map([
  ["OPEN", "active"],
  ["FUNDED", "paid-out"],
  ["ROLLED", "paid-out"],
  ["DEAD", "ended"],
]);

interface Page {
  readonly part: LoanPart;
  readonly next: number | null;
}

/**
 * The adapter of a second provider, with a bearer token, amounts in cents, a paged list and
 * statuses of its own.
 */
export const connectPagedApi: ConnectProvider = ({ apiUrl, apiKey, timeouts, onTime }) => {
  const http = createHttpApi({
    url: apiUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    onTime,
  });
  async function readPage(response: Response): Promise<Answer<Page>> {
    const page = decode(pageSchema, await readJson(response, LONGEST_ANSWER));
    if (page.kind !== "found") return page;
    const { loans, next } = page.value;
    return { kind: "found", value: { part: partOf(loans), next } };
  }
  return {
    lenderId: (signal) =>
      http.get("/v2/me", {
        signal,
        read: decodedBy(lenderIdSchema, LONGEST_ANSWER),
      }),
    loan: (id, signal) =>
      http.get(`/v2/loans/${encodeURIComponent(id)}`, {
        signal,
        read: decodedBy(loanSchema, LONGEST_ANSWER),
      }),
    async loans({ signal, onPart, nextCall }) {
      let entries = 0;
      for (let page: number | null = 1; page !== null; ) {
        if (page > 1) await nextCall();
        const within = AbortSignal.any([signal, AbortSignal.timeout(timeouts.listStallTimeout)]);
        const answer: Answer<Page> = await http.get(`/v2/loans?page=${page}`, {
          signal: within,
          read: readPage,
        });
        if (answer.kind !== "found") return answer;
        const { part, next }: Page = answer.value;
        await onPart(part);
        entries += part.loans.length + part.unrecognized.length;
        page = next;
      }
      return { kind: "found", value: entries };
    },
  };
};

function partOf(entries: readonly unknown[]): LoanPart {
  const loans: Loan[] = [];
  const unrecognized: UnrecognizedEntry[] = [];
  for (const entry of entries) {
    const decoded = decode(loanSchema, entry);
    if (decoded.kind === "found") loans.push(decoded.value);
    else {
      const id = plainText(100).safeParse(Reflect.get(Object(entry), "no")).data;
      unrecognized.push({ id, shape: decoded.shape });
    }
  }
  return { loans, unrecognized };
}

const loanSchema = z.pipe(reportSchema, z.transform(loanOf));

function loanOf(report: z.output<typeof reportSchema>): Loan {
  const { no, ref, minor, unit, state, changed } = report;
  return {
    id: no,
    orderId: ref,
    cents: minor,
    exactCents: minor,
    amountText: (minor / 100).toFixed(2),
    otherAsset: unit === "USD" ? undefined : unit,
    state: states.get(state) ?? "unknown",
    isDisputed: state === "CONTESTED",
    wasExtended: state === "ROLLED",
    providerStatus: state,
    updatedAt: changed * 1000,
  };
}
