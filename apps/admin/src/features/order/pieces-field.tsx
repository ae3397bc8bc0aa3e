import type { LinePieces } from "@keepsats/domain";
import type { AdminOrder } from "@keepsats/protocol";
import { CountInput } from "../../ui/count-input.tsx";

interface PiecesFieldProps {
  readonly legend: string;
  /** The lines of the order. */
  readonly items: AdminOrder["items"];
  /** The most pieces. */
  readonly offered: readonly LinePieces[];
  /** By item id. */
  readonly chosen: ReadonlyMap<string, number>;
  readonly onChange: (chosen: ReadonlyMap<string, number>) => void;
}

/** The choice of pieces of an order, line by line. */
export function PiecesField({ legend, items, offered, chosen, onChange }: PiecesFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <ul className="divide-y divide-line border-y border-line">
        {offered.map(({ item_id, quantity }) => {
          const name = items.find(({ id }) => id === item_id)?.name ?? item_id;
          return (
            <li
              key={item_id}
              className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_auto] sm:items-center"
            >
              <span className="min-w-0 wrap-anywhere">{name}</span>
              <CountInput
                label={`Pieces (at most ${quantity})`}
                of={name}
                most={quantity}
                count={Math.min(quantity, chosen.get(item_id) ?? 0)}
                onCount={(count) => onChange(new Map([...chosen, [item_id, count]]))}
              />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
