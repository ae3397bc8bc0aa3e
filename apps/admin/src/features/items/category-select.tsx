import { Select } from "@keepsats/ui/input.tsx";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { categoriesQuery } from "./queries.ts";

interface CategorySelectProps extends ComponentProps<typeof Select> {
  /** The name of a category, or the value of another option. */
  readonly value: string;
  /** The options before the categories; by default an empty value for none. */
  readonly children?: ComponentProps<"select">["children"];
}

/** A selection of a category by its name. */
export function CategorySelect({ value, children, ...props }: CategorySelectProps) {
  const { data } = useQuery(categoriesQuery);
  const names = (data?.categories ?? []).map(({ name }) => name);
  // The categories may not have loaded, or a colleague may have removed this one.
  const isMissing = value.trim() !== "" && !names.includes(value);
  return (
    <Select value={value} {...props}>
      {children ?? <option value="">None</option>}
      {[...names, ...(isMissing ? [value] : [])].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}
