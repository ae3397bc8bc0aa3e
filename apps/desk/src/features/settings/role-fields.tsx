import type { TokenRole } from "@keepsats/protocol";
import { RadioInput } from "@keepsats/ui/checkbox.tsx";
import { useId } from "react";

const roles: readonly { readonly role: TokenRole; readonly words: string }[] = [
  { role: "staff", words: "Staff: orders, payments and items" },
  { role: "owner", words: "Owner: also settings, staff, webhooks and tokens" },
];

/** The choice of a role, in a form's field `role`. */
export function RoleFields() {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {roles.map(({ role, words }) => (
        <label key={role} htmlFor={`${id}-${role}`} className="flex min-h-11 items-center gap-3">
          <RadioInput id={`${id}-${role}`} name="role" value={role} defaultChecked={role === "staff"} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** The role that was chosen in a form. */
export function chosenRole(fields: Readonly<Record<string, string>>): TokenRole {
  return fields.role === "owner" ? "owner" : "staff";
}

export function roleWords(role: TokenRole): string {
  return role === "owner" ? "Owner" : "Staff";
}
