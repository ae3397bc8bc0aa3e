import { type GrantKind, grantKinds } from "@keepsats/domain";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { ChosenLine, GrantChoice } from "../lib/grants.ts";
import { CountInput } from "./count-input.tsx";
import { RadioFields } from "./radio-fields.tsx";

const kindLabels: Readonly<Record<GrantKind, string>> = {
  return: "Return: items came back",
  goodwill: "Goodwill: the customer keeps the items",
};

const kindOptions = grantKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));

interface GrantFieldsProps {
  readonly choice: GrantChoice;
  readonly lines: readonly ChosenLine[];
  readonly kind: UseFormRegisterReturn;
  /** The error of the kind. */
  readonly error: string | undefined;
  /** Whether the refund is of a return, so that its kind is known. */
  readonly isOfReturn: boolean;
  readonly onChange: (choice: GrantChoice) => void;
}

/** The kind of a granted refund, and its pieces by line. */
export function GrantFields(props: GrantFieldsProps) {
  const { choice, lines, kind, error, isOfReturn, onChange } = props;
  return (
    <>
      {!isOfReturn && (
        <RadioFields legend="Kind" options={kindOptions} error={error} inputOf={() => kind} />
      )}
      {lines.length > 0 && (
        <fieldset>
          <legend className="mb-1 text-sm font-medium">
            {isOfReturn ? "Items" : "Items (optional)"}
          </legend>
          <ul className="divide-y divide-line border-y border-line">
            {lines.map((line) => (
              <LineFields
                key={line.itemId}
                line={line}
                onPieces={(count) =>
                  onChange({ ...choice, pieces: withCount(choice.pieces, line, count) })
                }
                onRestock={(count) =>
                  onChange({ ...choice, restock: withCount(choice.restock, line, count) })
                }
              />
            ))}
          </ul>
        </fieldset>
      )}
    </>
  );
}

function withCount(counts: GrantChoice["pieces"], { itemId }: ChosenLine, count: number) {
  return new Map([...counts, [itemId, count]]);
}

interface LineFieldsProps {
  readonly line: ChosenLine;
  readonly onPieces: (count: number) => void;
  readonly onRestock: (count: number) => void;
}

function LineFields({ line, onPieces, onRestock }: LineFieldsProps) {
  const { name, left, quantity, restock } = line;
  return (
    <li className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_auto] sm:items-center">
      <span className="min-w-0 wrap-anywhere">{name}</span>
      <div className="grid grid-cols-2 items-end gap-4 sm:w-64">
        <CountInput
          label={`Pieces (at most ${left})`}
          of={name}
          most={left}
          count={quantity}
          onCount={onPieces}
        />
        <CountInput label="Restock" of={name} most={quantity} count={restock} onCount={onRestock} />
      </div>
    </li>
  );
}
