import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";

type SenderField = "name" | "email";

export interface SenderFieldsProps {
  control: (name: SenderField) => UseFormRegisterReturn;
  field: (name: SenderField) => { id: string; error: string | undefined };
}

/** Renders the fields "Name" and "Email", which every form has. */
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
