import { hasPermission } from "@keepsats/protocol";
import { useCallback } from "react";
import { useSession } from "../../lib/session.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { DayFields } from "../../ui/day-fields.tsx";
import { Input, Select } from "../../ui/input.tsx";
import { type OrderFilter, sortingOf, sortOf } from "./order-filter.ts";

interface SearchFieldsProps {
  readonly filter: OrderFilter;
  readonly onChange: (part: Partial<OrderFilter>) => void;
}

export function SearchFields({ filter, onChange }: SearchFieldsProps) {
  const search = useCallback((text: string) => onChange({ text }), [onChange]);
  const [typed, setTyped] = useSearchText(filter.text, search);
  const { role } = useSession().staff;
  return (
    <search className="flex flex-wrap items-end gap-3 pt-4">
      <Input
        label="Search"
        type="search"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        placeholder={
          hasPermission(role, "orders:read") ? "Name, email, item or order number" : "Order number"
        }
        maxLength={200}
        className="min-w-0 grow basis-60"
      />
      <DayFields days={filter} onChange={onChange} />
      <Select
        label="Sort"
        value={sortingOf(filter)}
        onChange={({ target }) => onChange({ sort: sortOf(filter, target.value) })}
        className="grow basis-40 sm:grow-0"
      >
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
      </Select>
    </search>
  );
}
