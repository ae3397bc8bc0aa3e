import { documentOf, html } from "../page.ts";
import { termsFor } from "../terms.ts";
import { type Failure, timelineOf } from "../timeline.ts";

const failureLabels: Readonly<Record<Failure, string>> = {
  none: "No failure",
  reject: "The lender rejects it",
  expire: "It expires before the collateral is seen",
  error: "The pop-up fails with an error message",
  "wrong-amount": "It lends half of what the order costs",
  "wrong-order": "It names another order",
  slow: "The lender's API answers slowly for 20 seconds",
  "api-down": "The lender's API is down for 20 seconds",
};

const statusLabels: Readonly<Record<string, string>> = {
  Requested: "Loan requested",
  Approved: "Loan approved",
  CollateralSeen: "Bitcoin on its way",
  CollateralConfirmed: "Bitcoin received",
  PrincipalGiven: "Shop paid",
  Rejected: "Loan rejected",
  ApprovalExpired: "Loan expired",
};

const active = {
  look: "active",
  title: "Your loan is active",
  lead: "You do not need to wait here. Go back to the shop and complete the purchase there.",
};

/** The texts once a loan has ended. */
const endings: Readonly<Record<string, typeof active>> = {
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

/** A loan that the shop has requested. */
interface Loan {
  readonly amount: string;
  readonly lender_id: string;
  readonly order_id: string;
  readonly code: string;
  readonly dial: Failure;
}

/** The page that offers a loan. A script shows the section about an error that comes later. */
export function offerPage(shopOrigin: string, { dial, ...loan }: Loan, cents: number): string {
  const terms = termsFor(cents);
  const parameters = Object.entries(loan).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const choices = Object.entries(failureLabels).map(
    ([failure, label]) => html`<label>
      <input type="radio" name="dial" value="${failure}" ${failure === dial ? "checked" : ""} /> ${label}
    </label>`,
  );
  const offer = html`<form id="offer">
      ${parameters}
      <h1>Borrow ${terms.amount}</h1>
      <p class="quiet">against your bitcoin, without selling it. This is a simulation: no bitcoin moves, and no money is lent.</p>
      <dl>
        <div><dt>Shop</dt><dd>${shopOrigin}</dd></div>
        <div><dt>Order</dt><dd>#${loan.order_id.slice(0, 8)}</dd></div>
        <div><dt>Loan-to-value</dt><dd>${terms.loanToValue}</dd></div>
        <div><dt>Interest</dt><dd>${terms.interest}</dd></div>
        <div><dt>Term</dt><dd>${terms.term}</dd></div>
        <div><dt>To repay at the end</dt><dd>${terms.repay}</dd></div>
        <div><dt>Sandbox price of a bitcoin</dt><dd>${terms.bitcoinPrice}</dd></div>
        <div><dt>Collateral</dt><dd><b>${terms.collateral}</b></dd></div>
      </dl>
      <p class="actions">
        <button id="fund" class="primary">Fund the collateral</button>
        <button id="cancel" type="button">Cancel</button>
      </p>
      <details ${dial === "none" ? "" : "open"}>
        <summary>Simulate a failure</summary>
        <fieldset><legend>What happens to this loan?</legend>${choices}</fieldset>
      </details>
    </form>
    <div id="failed" hidden>${failedSection("")}</div>`;
  return popupPage(shopOrigin, offer);
}

/** The page about a loan request that is not valid. */
export function refusalPage(shopOrigin: string, faults: readonly string[]): string {
  const text = `This loan request is not complete: ${faults.join("; ")}.`;
  return popupPage(shopOrigin, html`<div data-error="${text}">${failedSection(text)}</div>`);
}

function failedSection(text: string) {
  return html`<h1 tabindex="-1">This did not work</h1>
    <p id="why" class="refused" role="alert">${text}</p>
    <p class="actions"><button class="leave">Back to shop</button></p>`;
}

interface Contract {
  readonly id: string;
  readonly failure: Failure;
}

/** The page about a contract. A script refreshes its progress until the contract has ended. */
export function contractPage(
  shopOrigin: string,
  { id, failure }: Contract,
  status: string,
): string {
  const { look, title, lead } = endings[status] ?? active;
  const statuses = timelineOf(failure);
  const reached = statuses.indexOf(status);
  const items = statuses.map((known, index) => {
    const progress = index > reached ? "to-come" : index === reached ? "current" : "past";
    return html`<li class="${progress}">${statusLabels[known] ?? known}</li>`;
  });
  return popupPage(
    shopOrigin,
    html`<section tabindex="-1" aria-live="polite">
      <div id="progress" class="${look}">
        <h1>${title}</h1>
        <p class="quiet">${lead}</p>
        <ol>${items}</ol>
      </div>
    </section>
    <p class="quiet">Contract ${id}</p>
    <p class="actions"><button class="leave primary">Back to shop</button></p>`,
  );
}

function popupPage(shopOrigin: string, content: ReturnType<typeof html>): string {
  const body = html`<body data-shop-origin="${shopOrigin}">
    <header>
      <p><b>Sandbox Lender</b></p>
      <p class="tag">Pretend money</p>
    </header>
    <main class="popup">${content}</main>
    <p id="alone" class="popup" hidden>This page was not opened by a shop, so it cannot report the result.</p>
  </body>`;
  return documentOf({ title: "Sandbox Lender", script: "popup", body });
}
