import type { CheckoutPath, FieldDeclaration } from "@keepsats/domain";
import { useFormContext } from "react-hook-form";
import { Field } from "../../ui/field.tsx";
import type { Draft } from "./draft.ts";

interface DeclaredFieldProps {
  readonly path: CheckoutPath;
  readonly field: FieldDeclaration;
  /** Takes the place of the declared token. */
  readonly autoComplete?: string;
}

/** A text field of the checkout form, as the table of fields declares it. */
export function DeclaredField({ path, field, autoComplete = field.autoComplete }: DeclaredFieldProps) {
  const { register, getFieldState, formState } = useFormContext<Draft>();
  return (
    <Field
      label={field.label}
      type={field.type}
      autoComplete={autoComplete}
      className={field.wide === true ? "sm:col-span-2" : ""}
      error={getFieldState(path, formState).error?.message}
      {...register(path)}
    />
  );
}
