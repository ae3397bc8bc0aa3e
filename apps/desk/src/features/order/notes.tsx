import type { MerchantOrder } from "@keepsats/protocol";
import { useState } from "react";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextArea } from "../../ui/input.tsx";
import { noteOrder } from "./order-queries.ts";
import { useChange } from "./use-change.ts";

/** Writes a note for staff. The notes themselves are in the history. */
export function NewNote({ order }: { order: MerchantOrder }) {
  // Another number makes another form, which is empty.
  const [number, setNumber] = useState(0);
  return <NoteForm key={number} order={order} onDone={() => setNumber(number + 1)} />;
}

function NoteForm({ order, onDone }: { order: MerchantOrder; onDone: () => void }) {
  const { mutate, ...state } = useChange<string>({ order, onDone, done: "Note added" }, (text) =>
    noteOrder(order.id, text),
  );
  return (
    <ChangeForm submit="Add note" {...state} onSubmit={({ text = "" }) => mutate(text)}>
      <TextArea label="Note, for staff only" name="text" required maxLength={5_000} rows={2} />
    </ChangeForm>
  );
}
