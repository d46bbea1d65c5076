import type { ComponentProps } from "react";
import { ChevronDownIcon } from "lucide-react";
import { FieldError } from "@/components/ui/form/field";
import { controlClass } from "@/components/ui/form/input";
import { cn } from "@/lib/client/cn";

/** Keys: submitted values. Values: visible labels. The control shows them in this order. */
type Options = Readonly<Record<string, string>>;

export interface SelectProps extends ComponentProps<"select"> {
  options: Options;
  placeholder: string;
}

/** Renders a native select. Use it inside a Field, which adds the label and the error message. */
export function Select({ options, placeholder, ...props }: SelectProps) {
  return (
    <div className="relative">
      <select className={cn(controlClass, "h-12 appearance-none truncate pr-11")} {...props}>
        <option value="">{placeholder}</option>
        {Object.entries(options).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDownIcon className="pointer-events-none absolute top-3.5 right-3.5 text-muted-foreground" />
    </div>
  );
}

/** Renders a native checkbox with a label. The whole row is clickable. */
export function Checkbox({ label, ...props }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0 accent-primary" {...props} />
      {label}
    </label>
  );
}

export interface RadioGroupProps {
  /** Id of the first radio button. All other ids in the group start with this id. */
  id: string;
  label: string;
  options: Options;
  error: string | undefined;
  announced: boolean;
  control: Omit<ComponentProps<"input">, "id" | "type" | "value">;
}

/** Renders a required group of native radio buttons with a label and an error message. */
export function RadioGroup({ id, label, options, error, announced, control }: RadioGroupProps) {
  const errorId = error ? `${id}-error` : undefined;
  return (
    <fieldset
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={errorId}
      aria-invalid={error ? true : undefined}
      aria-required
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend id={`${id}-label`} className="mb-1.5 font-medium">
        {label}
      </legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {Object.entries(options).map(([value, text], index) => (
          <label
            key={value}
            className={cn(
              "flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 rounded bg-card px-3.5 py-2",
              "transition-colors duration-150 ease-out hover:border-foreground",
              "has-checked:border-primary has-checked:bg-primary-soft",
              error ? "border-2 border-destructive" : "border border-input",
            )}
          >
            <input
              {...control}
              id={index === 0 ? id : `${id}-${value}`}
              type="radio"
              value={value}
              className="size-5 shrink-0 accent-primary"
            />
            {text}
          </label>
        ))}
      </div>
      <FieldError id={errorId} announced={announced} error={error} />
    </fieldset>
  );
}
