import { createHash } from "node:crypto";
import type { Picture } from "@keepsats/protocol";
import type { Database } from "../db/database.ts";
import { storePicture, touchPicture } from "./picture-repository.ts";
import type { Preparation, Preparer } from "./preparer.ts";
import { RECIPE } from "./recipe.ts";

/** What has become of an upload. */
export type Kept =
  | { readonly kind: "kept"; readonly picture: Picture }
  | Exclude<Preparation, { readonly kind: "prepared" }>;

/**
 * Prepares and stores an uploaded picture. Once it is returned it is committed, and all processes
 * serve it.
 */
export type KeepPicture = (file: Uint8Array) => Promise<Kept>;

interface Dependencies {
  readonly database: Database;
  readonly preparer: Pick<Preparer, "prepare">;
}

/** The same file is prepared and stored once. */
export function createKeepPicture({ database, preparer }: Dependencies): KeepPicture {
  return async (file) => {
    const id = idOf(file);
    const known = await touchPicture(database.db, id, database.now());
    if (known !== undefined) return { kind: "kept", picture: known };
    const prepared = await preparer.prepare(file);
    if (prepared.kind !== "prepared") return prepared;
    const picture = await storePicture(database, id, { ...prepared, at: database.now() });
    return { kind: "kept", picture };
  };
}

/** The id of the picture that is made of a file. */
export function idOf(file: Uint8Array): string {
  return createHash("sha256").update(`${RECIPE}:`).update(file).digest("hex").slice(0, 32);
}
