import { Slot, Slottable } from "@radix-ui/react-slot";
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps, MouseEvent } from "react";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/client/cn";

/** The look of a button, for an element that is none (an `<a>` in a page that must stay free of client code). */
export const buttonVariants = cva(
  [
    "inline-flex items-center justify-center gap-2 rounded border border-transparent text-center font-semibold",
    "transition-colors duration-150 ease-out",
    "disabled:pointer-events-none disabled:opacity-50",
  ],
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground hover:bg-primary-hover",
        secondary: "bg-primary-soft text-primary hover:border-primary",
        outline: "border-input bg-card text-foreground hover:bg-muted",
        ghost: "text-foreground hover:bg-muted",
        destructive: "bg-destructive text-destructive-foreground hover:bg-destructive-hover",
        link: "link font-medium",
      },
      size: {
        default: "min-h-11 px-5 py-2",
        sm: "min-h-9 px-3.5 py-1 text-sm",
        lg: "min-h-13 px-6 py-2.5 text-lg",
      },
    },
    compoundVariants: [{ variant: "link", className: "px-1" }],
    defaultVariants: { variant: "default", size: "default" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonVariants> {
  /** Gives the look to the one child (a link, say) instead of making a button. */
  asChild?: boolean;
  /**
   * Shows a spinner and ignores presses. The button keeps the focus and stays readable, which `disabled`
   * would take away.
   */
  loading?: boolean;
}

function ignore(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}

/** A button; `type="button"` unless told otherwise. */
export function Button({
  variant,
  size,
  asChild = false,
  loading = false,
  className,
  children,
  ...props
}: ButtonProps) {
  const Component = asChild ? Slot : "button";
  return (
    <Component
      {...(asChild ? {} : { type: "button" as const })}
      {...props}
      {...(loading && { "aria-disabled": true, "aria-busy": true, onClick: ignore })}
      className={cn(buttonVariants({ variant, size }), loading && "cursor-progress", className)}
    >
      {loading && <Spinner />}
      <Slottable>{children}</Slottable>
    </Component>
  );
}
