import {
  type AdminOrder,
  idempotencyHeader,
  noteAnswerSchema,
  noteRequestSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { idempotencyHeaders, type Operation } from "../../../platform/http/operation.ts";
import { post } from "../../../platform/http/route.ts";
import type { Platform } from "../../../platform/platform.ts";
import { idempotencyConflict, type Refusal } from "../../../platform/refusal.ts";
import { type Actor, actorOf } from "../../staff/index.ts";
import { listEvents, type OrderEvent } from "../order-repository.ts";
import { orderParams, orderRoute } from "../order-route.ts";
import type { AmendOrder } from "./amend-order.ts";

/** A note by staff about an order. Customers do not see it. */
interface NewNote {
  readonly orderId: string;
  readonly by: Actor;
  readonly text: string;
  /** Retries with the same key store the note once. */
  readonly idempotencyKey?: string | undefined;
}

/** `repeated`: an earlier request with this key stored the same note. */
type NoteOutcome = { readonly kind: "noted" | "repeated" } | Refusal | undefined;

/** A note is stored as the `data` of an order event of the kind `noted`. */
const noteSchema = z.object({ text: z.string(), key: z.optional(z.string()) });

/** Notes can be added in every status. */
export function createAddNote({
  database,
  amendOrder,
}: Pick<Platform, "database"> & { readonly amendOrder: AmendOrder }) {
  return ({ orderId, by, text, idempotencyKey: key }: NewNote) =>
    database.inTransaction(async (unit): Promise<NoteOutcome> => {
      if (key !== undefined) {
        await unit.lock(orderId);
        const events = await listEvents(unit.db, orderId);
        const earlier = events.map(noteOf).find((note) => note?.key === key);
        if (earlier !== undefined)
          return earlier.text === text
            ? { kind: "repeated" }
            : idempotencyConflict("for a different note on this order");
      }
      const order = await amendOrder(unit, { orderId, kind: "noted", by, data: { text, key } });
      return order && { kind: "noted" };
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
  db: Queries,
  addNote: ReturnType<typeof createAddNote>,
): void {
  orderRoute(
    app,
    db,
    post(paths.admin.notes),
    operation,
    async ({ orderId: id, headers, body }, reply) => {
      const { [idempotencyHeader]: idempotencyKey } = headers;
      const by = actorOf(reply.request);
      const outcome = await addNote({ orderId: id, by, text: body.text, idempotencyKey });
      if (outcome === undefined || outcome.kind === "refused") return outcome;
      if (outcome.kind === "repeated") reply.header("Idempotent-Replayed", "true");
      return { id };
    },
  );
}
