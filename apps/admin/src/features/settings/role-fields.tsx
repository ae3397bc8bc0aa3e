import { type Role, roles } from "@keepsats/protocol";
import type { UseFormRegisterReturn } from "react-hook-form";
import { RadioFields } from "../../ui/forms/radio-fields.tsx";

const labels: Readonly<Record<Role, { readonly name: string; readonly grants: string }>> = {
  packer: { name: "Packer", grants: "ships orders, without prices and payments" },
  staff: { name: "Staff", grants: "orders, payments and items" },
  owner: { name: "Owner", grants: "also settings, staff, webhooks and tokens" },
};
/** The role that is selected in a new form. */
export const DEFAULT_ROLE: Role = "staff";

const options = roles.toReversed().map((role) => ({
  value: role,
  label: `${labels[role].name}: ${labels[role].grants}`,
}));

export function RoleFields({ field }: { field: UseFormRegisterReturn }) {
  return <RadioFields legend="Role" options={options} inputOf={() => field} />;
}

export function roleLabel(role: Role): string {
  return labels[role].name;
}
