import { type TokenRole, tokenRoles } from "@keepsats/protocol";
import { RadioInput } from "@keepsats/ui/checkbox.tsx";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

/** The name of each role and what it grants. */
const labels: Readonly<Record<TokenRole, { readonly name: string; readonly may: string }>> = {
  staff: { name: "Staff", may: "orders, payments and items" },
  owner: { name: "Owner", may: "also settings, staff, webhooks and tokens" },
};
/** The role with the fewest permissions. */
export const LEAST_ROLE: TokenRole = "staff";

/** The choice of a role. */
export function RoleFields({ field }: { field: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {tokenRoles.toReversed().map((role) => (
        <label key={role} htmlFor={`${id}-${role}`} className="flex min-h-11 items-center gap-3">
          <RadioInput id={`${id}-${role}`} value={role} {...field} />
          {labels[role].name}: {labels[role].may}
        </label>
      ))}
    </fieldset>
  );
}

export function roleWords(role: TokenRole): string {
  return labels[role].name;
}
