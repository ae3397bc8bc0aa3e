import { type Role, roles } from "@keepsats/protocol";
import { RadioInput } from "@keepsats/ui/checkbox.tsx";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

const labels: Readonly<Record<Role, { readonly name: string; readonly grants: string }>> = {
  packer: { name: "Packer", grants: "ships orders, without prices and payments" },
  staff: { name: "Staff", grants: "orders, payments and items" },
  owner: { name: "Owner", grants: "also settings, staff, webhooks and tokens" },
};
/** The role that is selected in a new form. */
export const DEFAULT_ROLE: Role = "staff";

export function RoleFields({ field }: { field: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {roles.toReversed().map((role) => (
        <label key={role} htmlFor={`${id}-${role}`} className="flex min-h-11 items-center gap-3">
          <RadioInput id={`${id}-${role}`} value={role} {...field} />
          {labels[role].name}: {labels[role].grants}
        </label>
      ))}
    </fieldset>
  );
}

export function roleLabel(role: Role): string {
  return labels[role].name;
}
