import {
  type AdminOrder,
  idempotencyHeader,
  noteAnswerSchema,
  noteRequestSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database, Queries } from "../../platform/database/database.ts";
import { idempotencyHeaders, type Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { type Actor, actorOf } from "../staff/index.ts";
import type { AmendOrder } from "./amend-order.ts";
import { listEvents, type OrderEvent } from "./order-repository.ts";
import { orderParams, orderRoute, sendUnknownOrder } from "./order-route.ts";

/** A note by staff about an order. Customers do not see it. */
interface NewNote {
  readonly orderId: string;
  readonly by: Actor;
  readonly text: string;
  /** Retries with the same key store the note once. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * `repeated`: an earlier request with this key stored the same note. `key-reused`: it stored a
 * different one.
 */
type NoteOutcome = { readonly kind: "noted" | "repeated" | "key-reused" | "not-found" };

type AddNote = (note: NewNote) => Promise<NoteOutcome>;

/** A note is stored as the `data` of an order event of the kind `noted`. */
const noteSchema = z.object({ text: z.string(), key: z.optional(z.string()) });

interface Dependencies {
  readonly database: Pick<Database, "inTransaction">;
  readonly amendOrder: AmendOrder;
}

/** Notes can be added in every status. */
export function createAddNote({ database, amendOrder }: Dependencies): AddNote {
  return ({ orderId, by, text, idempotencyKey: key }) =>
    database.inTransaction(async (unit): Promise<NoteOutcome> => {
      if (key !== undefined) {
        await unit.lock(orderId);
        const events = await listEvents(unit.db, orderId);
        const earlier = events.map(noteOf).find((note) => note?.key === key);
        if (earlier !== undefined)
          return { kind: earlier.text === text ? "repeated" : "key-reused" };
      }
      const order = await amendOrder(unit, { orderId, kind: "noted", by, data: { text, key } });
      return { kind: order === undefined ? "not-found" : "noted" };
    });
}

function noteOf({ kind, data }: OrderEvent): z.output<typeof noteSchema> | undefined {
  if (kind !== "noted" || data === null) return undefined;
  return noteSchema.safeParse(JSON.parse(data)).data;
}

/** The notes among the events of an order. Erasing an order removes their texts. */
export function notesOf(events: readonly OrderEvent[]): AdminOrder["notes"] {
  return events.flatMap((event) => {
    const note = noteOf(event);
    return note === undefined ? [] : [{ text: note.text, by_name: event.by_name, at: event.at }];
  });
}

const operation = {
  operationId: "noteOrder",
  summary: "Add a note to an order, visible to staff only",
  permission: "orders:pack",
  takes: z.object({
    params: orderParams,
    headers: idempotencyHeaders("Requests with the same key and text store the note once"),
    body: noteRequestSchema,
  }),
  answers: { 201: noteAnswerSchema },
} satisfies Operation;

export function addNoteRoute(
  app: FastifyInstance,
  { db, addNote }: { readonly db: Queries; readonly addNote: AddNote },
): void {
  const endpoint = { method: "POST", path: paths.admin.notes } as const;
  orderRoute(app, db, endpoint, operation, async ({ orderId: id, headers, body }, reply) => {
    const { [idempotencyHeader]: idempotencyKey } = headers;
    const by = actorOf(reply.request);
    const outcome = await addNote({ orderId: id, by, text: body.text, idempotencyKey });
    if (outcome.kind === "repeated") reply.header("Idempotent-Replayed", "true");
    switch (outcome.kind) {
      case "repeated":
      case "noted":
        return { id };
      case "key-reused":
        return sendProblem(reply, "idempotency_conflict", {
          detail: "This Idempotency-Key was used for a different note on this order.",
        });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}
