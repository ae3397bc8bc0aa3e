import type { UnitOfWork } from "./database.ts";

/**
 * Who asks for a change that lets somebody in: a member of staff, a webhook, the holder of a token.
 */
export interface Asker {
  readonly name: string;
  /**
   * Locks what lets them in, together with further names, until the transaction ends: nobody
   * withdraws them meanwhile.
   *
   * @throws {NotLetIn} if they were withdrawn
   */
  hold(unit: UnitOfWork, ...locks: string[]): Promise<void>;
}

/** The server itself, and the holder of the token of its settings: nobody can withdraw them. */
export const itself: Asker = { name: "merchant", hold: (unit, ...locks) => unit.lock(...locks) };

/** Whoever makes a request was withdrawn since it began. It is answered with 401. */
export class NotLetIn extends Error {
  override readonly name = "NotLetIn";
  readonly statusCode = 401;
}
