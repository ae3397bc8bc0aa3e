/** Requests a loan at the sandbox, as its pop-up does. @returns the loan's id */
export async function requestLoan(
  lender: { readonly url: string; readonly lenderId: string },
  loan: { readonly amount: string; readonly orderId: string; readonly dial?: string | undefined },
): Promise<string> {
  const response = await fetch(`${lender.url}/popup/contracts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      amount: loan.amount,
      lender_id: lender.lenderId,
      order_id: loan.orderId,
      code: "beta",
      dial: loan.dial ?? "none",
    }),
  });
  const body: unknown = await response.json();
  return String(Reflect.get(Object(body), "id"));
}

/** Makes the sandbox fail: its API, or its mailbox. */
export async function setSandboxFault(
  { url, key }: { readonly url: string; readonly key: string },
  path: "/sandbox/outage" | "/mailbox/fault",
  kind: string,
  seconds = 600,
): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: "PUT",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ kind, seconds }),
  });
  if (response.status !== 204) throw new Error(`the sandbox answered ${response.status}`);
}
