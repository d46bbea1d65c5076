import type { ComponentProps } from "react";
import { ChevronDownIcon } from "lucide-react";
import { controlClass } from "@/components/ui/form/input";
import { cn } from "@/lib/client/cn";

export interface SelectProps extends ComponentProps<"select"> {
  /** Keys: submitted values. Values: visible labels. The list shows them in this order. */
  options: Readonly<Record<string, string>>;
  placeholder: string;
}

/** Renders a native select. Use it inside a Field, which adds the label and the error message. */
export function Select({ options, placeholder, className, ...props }: SelectProps) {
  return (
    <div className="relative">
      <select className={cn(controlClass, "h-12 appearance-none truncate pr-11", className)} {...props}>
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
