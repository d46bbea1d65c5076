import type { BoundField } from "@/components/forms/hooks/use-form-submission";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";

/** Renders the fields "Name" and "Email", which every form has. */
export function SenderFields({ field }: { field: (name: "name" | "email") => BoundField }) {
  return (
    <>
      <Field {...field("name")} label="Name" required>
        {(props) => <Input {...props} autoComplete="name" />}
      </Field>
      <Field {...field("email")} label="Email" hint="So that we can answer you." required>
        {(props) => <Input {...props} type="email" autoComplete="email" />}
      </Field>
    </>
  );
}
