/** The paths that the storefront calls, separate so that it loads no others. */
export const shopPaths = {
  items: "/api/items",
  orders: "/api/orders",
  order: "/api/orders/:id",
  cancellation: "/api/orders/:id/cancellation",
  customerReturns: "/api/orders/:id/returns",
  returnWithdrawal: "/api/orders/:id/returns/:returnId/withdrawal",
  receipts: "/api/orders/:id/receipts",
  lenderAccount: "/api/me",
  orderStream: "/api/ws/order-status",
  /** A text of the footer, such as `terms`. */
  shopText: "/api/shop/texts/:name",
} as const;

/** All paths of the API; `:id` stands for an id, see {@link withId}. */
export const paths = {
  ...shopPaths,
  openapi: "/api/openapi.json",
  admin: {
    orders: "/api/admin/orders",
    ordersCsv: "/api/admin/orders.csv",
    orderCounts: "/api/admin/order-counts",
    order: "/api/admin/orders/:id",
    transitions: "/api/admin/orders/:id/transitions",
    notes: "/api/admin/orders/:id/notes",
    packingOrders: "/api/admin/packing/orders",
    packingOrder: "/api/admin/packing/orders/:id",
    refunds: "/api/admin/orders/:id/refunds",
    refundReversal: "/api/admin/orders/:id/refunds/:refundId/reversal",
    orderReturns: "/api/admin/orders/:id/returns",
    returnMoves: "/api/admin/orders/:id/returns/:returnId/transitions",
    receipts: "/api/admin/orders/:id/receipts",
    returns: "/api/admin/returns",
    erasure: "/api/admin/orders/:id/erasure",
    paymentIssues: "/api/admin/payment-issues",
    paymentIssue: "/api/admin/payment-issues/:id",
    resolution: "/api/admin/payment-issues/:id/resolution",
    reopening: "/api/admin/payment-issues/:id/reopening",
    issueRefunds: "/api/admin/payment-issues/:id/refunds",
    issueRefundReversal: "/api/admin/payment-issues/:id/refunds/:refundId/reversal",
    items: "/api/admin/items",
    itemsCsv: "/api/admin/items.csv",
    item: "/api/admin/items/:id",
    import: "/api/admin/items/import",
    categories: "/api/admin/categories",
    pictures: "/api/admin/pictures",
    orderKeys: "/api/admin/order-keys",
    tokens: "/api/admin/tokens",
    token: "/api/admin/tokens/:id",
    settings: "/api/admin/settings",
    webhooks: "/api/admin/webhooks",
    webhook: "/api/admin/webhooks/:id",
    webhookSecret: "/api/admin/webhooks/:id/secret",
    webhookTest: "/api/admin/webhooks/:id/test",
    webhookDeliveries: "/api/admin/webhooks/:id/deliveries",
    testEmail: "/api/admin/mail/test",
    mailSettings: "/api/admin/mail/settings",
    deliveries: "/api/admin/deliveries",
    emailsRetry: "/api/admin/deliveries/retry",
    deliveryRetry: "/api/admin/deliveries/:id/retry",
    today: "/api/admin/today",
    bestSellers: "/api/admin/best-sellers",
    journal: "/api/admin/journal",
    journalCsv: "/api/admin/journal.csv",
    journalSummary: "/api/admin/journal/summary",
    receiptsCsv: "/api/admin/receipts.csv",
    receiptsSummary: "/api/admin/receipts/summary",
    reconciliation: "/api/admin/reconciliation",
    reconciliationCsv: "/api/admin/reconciliation.csv",
    serverSettings: "/api/admin/server-settings",
    signInLinks: "/api/admin/sign-in-links",
    staff: "/api/admin/staff",
    staffMember: "/api/admin/staff/:id",
    staffPasskeys: "/api/admin/staff/:id/passkeys",
    passkey: "/api/admin/passkeys/:id",
    sessions: "/api/admin/sessions",
    session: "/api/admin/sessions/:id",
  },
  /** Only on the admin's port. */
  auth: {
    signIn: "/api/auth/sign-in",
    signInLink: "/api/auth/sign-in-link",
    signInEmails: "/api/auth/sign-in-emails",
    passkeyChallenge: "/api/auth/passkey-challenge",
    passkeySignIn: "/api/auth/passkey-sign-in",
    session: "/api/auth/session",
    newPasskeyChallenge: "/api/auth/passkeys/challenge",
    passkeys: "/api/auth/passkeys",
    passkey: "/api/auth/passkeys/:id",
    live: "/api/auth/live",
  },
} as const;

/** Inserts an id into a path, escaped. */
export function withId(path: string, id: string): string {
  return path.replace(":id", () => encodeURIComponent(id));
}

/** Inserts the ids of a refund, and of its order or payment issue, into a path, escaped. */
export function withRefundId(path: string, id: string, refundId: string): string {
  return withId(path, id).replace(":refundId", () => encodeURIComponent(refundId));
}

/** Inserts the ids of an order and of a return into a path, escaped. */
export function withReturnId(path: string, id: string, returnId: string): string {
  return withId(path, id).replace(":returnId", () => encodeURIComponent(returnId));
}
