/** The paths that the shop's page asks for: the others would only make it larger. */
export const shopPaths = {
  items: "/api/items",
  orders: "/api/orders",
  order: "/api/orders/:id",
  cancellation: "/api/orders/:id/cancellation",
  me: "/api/me",
  orderStream: "/api/ws/order-status",
  /** A text of the footer, such as `terms`. */
  shopText: "/api/shop/texts/:name",
} as const;

/** Every path of the shop's API, in one place; `:id` stands for an id, see {@link withId}. */
export const paths = {
  ...shopPaths,
  openapi: "/api/openapi.json",
  merchant: {
    orders: "/api/merchant/orders",
    /** The same list as a table. */
    ordersCsv: "/api/merchant/orders.csv",
    order: "/api/merchant/orders/:id",
    transitions: "/api/merchant/orders/:id/transitions",
    notes: "/api/merchant/orders/:id/notes",
    refunds: "/api/merchant/orders/:id/refunds",
    refundReversal: "/api/merchant/orders/:id/refunds/:refundId/reversal",
    erasure: "/api/merchant/orders/:id/erasure",
    paymentIssues: "/api/merchant/payment-issues",
    paymentIssue: "/api/merchant/payment-issues/:id",
    resolution: "/api/merchant/payment-issues/:id/resolution",
    reopening: "/api/merchant/payment-issues/:id/reopening",
    issueRefunds: "/api/merchant/payment-issues/:id/refunds",
    issueRefundReversal: "/api/merchant/payment-issues/:id/refunds/:refundId/reversal",
    items: "/api/merchant/items",
    itemsCsv: "/api/merchant/items.csv",
    item: "/api/merchant/items/:id",
    import: "/api/merchant/items/import",
    pictures: "/api/merchant/pictures",
    orderKeys: "/api/merchant/order-keys",
    tokens: "/api/merchant/tokens",
    token: "/api/merchant/tokens/:id",
    settings: "/api/merchant/settings",
    webhooks: "/api/merchant/webhooks",
    webhook: "/api/merchant/webhooks/:id",
    webhookSecret: "/api/merchant/webhooks/:id/secret",
    webhookTest: "/api/merchant/webhooks/:id/test",
    webhookDeliveries: "/api/merchant/webhooks/:id/deliveries",
    testEmail: "/api/merchant/mail/test",
    deliveries: "/api/merchant/deliveries",
    emailsRetry: "/api/merchant/deliveries/retry",
    deliveryRepeat: "/api/merchant/deliveries/:id/repeat",
    today: "/api/merchant/today",
    machine: "/api/merchant/machine",
    deskLinks: "/api/merchant/desk-links",
    staff: "/api/merchant/staff",
    staffMember: "/api/merchant/staff/:id",
    staffPasskeys: "/api/merchant/staff/:id/passkeys",
    passkey: "/api/merchant/passkeys/:id",
    sessions: "/api/merchant/sessions",
    session: "/api/merchant/sessions/:id",
  },
  /** Only at the desk's own port. */
  desk: {
    signIn: "/api/desk/sign-in",
    signInLink: "/api/desk/sign-in-link",
    signInEmails: "/api/desk/sign-in-emails",
    passkeyChallenge: "/api/desk/passkey-challenge",
    passkeySignIn: "/api/desk/passkey-sign-in",
    session: "/api/desk/session",
    newPasskeyChallenge: "/api/desk/passkeys/challenge",
    passkeys: "/api/desk/passkeys",
    passkey: "/api/desk/passkeys/:id",
    live: "/api/desk/live",
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
