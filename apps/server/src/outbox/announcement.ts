import type { UnitOfWork } from "../db/database.ts";

/** Something that happened, and that others must be told for certain. */
export interface Announcement {
  /** What happened, such as `order.shipped`. */
  readonly type: string;
  /**
   * The id of the order or item that it is about. Announcements of one subject reach a target in
   * their order.
   */
  readonly subject: string;
  /** Further facts, as JSON. No personal data: a delivery reads that when it is made. */
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Stores announcements as deliveries, inside the transaction of the change that they tell of. The
 * caller holds the lock of each subject, so that the deliveries of a subject are stored in the
 * order of its changes.
 */
export type Announce = (unit: UnitOfWork, announcements: readonly Announcement[]) => Promise<void>;
