import type { TokenRole } from "@keepsats/protocol";

const roles: readonly { readonly role: TokenRole; readonly words: string }[] = [
  { role: "staff", words: "Staff: orders, payments and items" },
  { role: "owner", words: "Owner: also settings, staff, webhooks and tokens" },
];

/** The choice of a role, in a form's field `role`. */
export function RoleFields() {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {roles.map(({ role, words }) => (
        <label key={role} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === "staff"}
            className="size-4.5 shrink-0 accent-ink"
          />
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
