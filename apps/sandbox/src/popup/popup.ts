// Runs in the pop-up. It is served without a build, only with its types stripped, so it imports
// nothing.

interface Loan {
  amount: string;
  lender_id: string;
  order_id: string;
  code: string;
  dial: string;
}

interface PageData {
  shopOrigin: string;
  faults: string[];
  loan?: Loan;
  /** The texts of the offer, by the id of their element. */
  terms?: Record<string, string>;
}

type WidgetMessage =
  | { status: "success"; contractId: string }
  | { status: "cancelled"; reason: string }
  | { status: "error"; code: string; message: string }
  | { status: "done" };

const dials: Record<string, string> = {
  none: "No failure",
  reject: "The lender rejects it",
  expire: "It expires before the collateral is seen",
  error: "The pop-up fails with an error message",
  "wrong-amount": "It lends half of what the order costs",
  "wrong-order": "It names another order",
  slow: "The lender's API answers slowly for 20 seconds",
  "api-down": "The lender's API is down for 20 seconds",
};

const stateLabels: Record<string, string> = {
  Requested: "Loan requested",
  Approved: "Loan approved",
  CollateralSeen: "Bitcoin on its way",
  CollateralConfirmed: "Bitcoin received",
  PrincipalGiven: "Shop paid",
  Rejected: "Loan rejected",
  ApprovalExpired: "Loan expired",
};

/** The texts of the screen once a loan has ended. */
const endings: Record<string, { look: "paid" | "refused"; title: string; lead: string }> = {
  PrincipalGiven: {
    look: "paid",
    title: "Your loan is paid out",
    lead: "The shop has its money. Go back to it and complete the purchase there.",
  },
  Rejected: {
    look: "refused",
    title: "Loan rejected",
    lead: "The lender has rejected this loan. Go back to the shop: your order is still there.",
  },
  ApprovalExpired: {
    look: "refused",
    title: "Loan expired",
    lead: "The collateral did not arrive in time. Go back to the shop: your order is still there.",
  },
};

const data: PageData = JSON.parse(element("data").textContent ?? "");

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

function write(id: string, text: string): void {
  element(id).textContent = text;
}

function postToShop(message: WidgetMessage): void {
  window.opener?.postMessage(message, data.shopOrigin);
}

function show(id: "offer" | "progress" | "failed"): void {
  for (const section of ["offer", "progress", "failed"]) element(section).hidden = section !== id;
  element(id).querySelector<HTMLElement>("h1[tabindex]")?.focus();
}

function leave(): void {
  postToShop({ status: "done" });
}

function fail(code: string, message: string): void {
  write("why", message);
  show("failed");
  postToShop({ status: "error", code, message });
}

function showOffer(loan: Loan, terms: Record<string, string>): void {
  write("shop", data.shopOrigin);
  write("order", `#${loan.order_id.slice(0, 8)}`);
  for (const [id, text] of Object.entries(terms)) write(id, text);
  for (const [dial, text] of Object.entries(dials))
    element("dials").append(dialChoice(dial, text, loan));
  if (loan.dial !== "none") element("drawer").setAttribute("open", "");
  show("offer");
}

function dialChoice(dial: string, text: string, loan: Loan): HTMLElement {
  const label = document.createElement("label");
  const input = document.createElement("input");
  input.type = "radio";
  input.name = "dial";
  input.value = dial;
  input.checked = loan.dial === dial;
  input.addEventListener("change", () => {
    loan.dial = dial;
  });
  label.append(input, text);
  return label;
}

async function fund(loan: Loan): Promise<void> {
  element("fund").setAttribute("disabled", "");
  if (loan.dial === "error")
    return fail("sandbox_error", "The lender refused the loan, as selected.");
  try {
    const response = await fetch("/popup/contracts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(loan),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const contract: { id: string; states: string[] } = await response.json();
    postToShop({ status: "success", contractId: contract.id });
    write("contract", contract.id);
    showStates(contract.states, 0);
    show("progress");
    void pollContract(contract);
  } catch {
    fail("sandbox_unreachable", "The sandbox could not be reached. Nothing was lent.");
  }
}

function showStates(states: string[], reached: number): void {
  element("states").replaceChildren(
    ...states.map((state, index) => {
      const item = document.createElement("li");
      item.textContent = stateLabels[state] ?? state;
      item.className = index < reached ? "past" : index === reached ? "past now" : "";
      return item;
    }),
  );
  const state = states[reached] ?? "";
  write("state", `${stateLabels[state] ?? state}.`);
  const ending = endings[state];
  if (ending === undefined) return;
  element("progress").className = ending.look;
  write("progress-title", ending.title);
  write("progress-lead", ending.lead);
}

async function pollContract(contract: { id: string; states: string[] }): Promise<void> {
  let reached = 0;
  while (reached < contract.states.length - 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const response = await fetch(`/popup/contracts/${contract.id}`).catch(() => undefined);
    if (response?.ok !== true) continue;
    const { status }: { status: string } = await response.json();
    const index = contract.states.indexOf(status);
    if (index > reached) {
      reached = index;
      showStates(contract.states, reached);
    }
  }
}

function start(): void {
  element("alone").hidden = window.opener !== null;
  element("back").addEventListener("click", leave);
  element("leave").addEventListener("click", leave);
  const { loan, terms, faults } = data;
  if (loan === undefined || terms === undefined || faults.length > 0) {
    fail("bad_request", `This loan request is not complete: ${faults.join("; ")}.`);
    return;
  }
  element("fund").addEventListener("click", () => fund(loan));
  element("cancel").addEventListener("click", () => {
    postToShop({ status: "cancelled", reason: "user_cancelled" });
    leave();
  });
  showOffer(loan, terms);
}

start();

export {};
