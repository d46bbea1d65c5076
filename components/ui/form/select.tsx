import type { ComponentProps } from "react";
import { ChevronDownIcon } from "@/components/ui/icons";
import { controlClass } from "@/components/ui/form/input";
import { cn } from "@/lib/client/cn";

export interface SelectProps extends ComponentProps<"select"> {
  /** Value -> what it is called, in the order of the list. */
  options: Readonly<Record<string, string>>;
  /** Stands there until something is chosen, with the value "". */
  placeholder: string;
}

/** One choice of a list, by the browser's own control. Put it in a Field, which names it and ties its error to it. */
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
