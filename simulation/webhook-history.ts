import { type CommittedWebhook, nothing, type State } from "./committed.ts";

const DAY = 24 * 3_600_000;
/** How far the shop's clock may be behind when a secret ends, in milliseconds. */
const MARGIN = 1_000;

/** What the committed states and the answers of receivers have shown of the webhooks. */
export class WebhookHistory {
  /** The last state that was followed. */
  state: State = nothing;
  /** The ids of deliveries that have ended in an earlier state. */
  readonly ended = new Set<string>();
  /** The webhooks whose present address has answered 410. */
  readonly gone = new Set<string>();
  readonly #unsettled = new Set<string>();
  readonly #replaced = new Map<string, { readonly secret: string; readonly at: number }>();

  /** Notes which webhooks a new state has changed. @param now epoch milliseconds */
  follow(state: State, now: number): void {
    const { webhooks: before } = this.state;
    this.state = state;
    for (const id of new Set([...before.keys(), ...state.webhooks.keys()])) {
      const former = before.get(id);
      const webhook = state.webhooks.get(id);
      if (webhook?.isOn !== true || webhook.url !== former?.url) this.gone.delete(id);
      if (isSame(former, webhook)) continue;
      this.#unsettled.add(id);
      if (former !== undefined && former.secret !== webhook?.secret)
        this.#replaced.set(id, { secret: former.secret, at: now });
    }
  }

  /** Nothing more is due at this moment, so the shop knows the last state. */
  settle(): void {
    this.#unsettled.clear();
  }

  /** The process that was answered has ended. */
  forgetAnswers(): void {
    this.gone.clear();
  }

  /** Whether the shop must know how this webhook is. */
  isSettled(id: string): boolean {
    return !this.#unsettled.has(id);
  }

  /**
   * The secrets with each of which a message must be signed: the present one, and for a day the one
   * before.
   */
  secretsOf({ id, secret }: CommittedWebhook, now: number): string[] {
    const replaced = this.#replaced.get(id);
    return replaced === undefined || replaced.at + DAY - MARGIN < now
      ? [secret]
      : [secret, replaced.secret];
  }
}

function isSame(one: CommittedWebhook | undefined, other: CommittedWebhook | undefined): boolean {
  return (
    one?.url === other?.url &&
    one?.events === other?.events &&
    one?.isOn === other?.isOn &&
    one?.secret === other?.secret
  );
}
