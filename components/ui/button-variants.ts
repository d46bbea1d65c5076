import { cva } from "class-variance-authority";

/** Returns the class names of a button. A link with these class names looks like a button. */
export const buttonVariants = cva(
  [
    "inline-flex flex-wrap items-center justify-center gap-2 rounded border text-center font-semibold wrap-anywhere",
    "transition-colors duration-150 ease-out",
    "disabled:pointer-events-none disabled:opacity-50",
  ],
  {
    variants: {
      variant: {
        default: "border-transparent bg-primary text-primary-foreground hover:bg-primary-hover",
        secondary: "border-transparent bg-primary-soft text-primary hover:border-primary",
        outline: "border-input bg-card text-foreground hover:bg-muted",
        ghost: "border-transparent text-foreground hover:bg-muted",
      },
      size: {
        default: "min-h-11 px-button py-2",
        sm: "min-h-9 px-3 py-1 text-sm",
        lg: "min-h-13 px-button py-2.5 text-lg",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);
