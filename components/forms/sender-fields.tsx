import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";

type SenderField = "name" | "email";

export interface SenderFieldsProps {
  /** What the control of a field carries; see use-form-submission.ts. */
  control: (name: SenderField) => UseFormRegisterReturn;
  /** What its Field carries. */
  field: (name: SenderField) => { id: string; error: string | undefined };
}

/** Who writes: the two fields that every form begins with. */
export function SenderFields({ control, field }: SenderFieldsProps) {
  return (
    <>
      <Field {...field("name")} label="Name" required>
        {(props) => <Input {...props} {...control("name")} autoComplete="name" />}
      </Field>
      <Field {...field("email")} label="Email" hint="So that we can answer you." required>
        {(props) => <Input {...props} {...control("email")} type="email" autoComplete="email" />}
      </Field>
    </>
  );
}
