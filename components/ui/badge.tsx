import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

const badgeVariants = cva(
  "inline-flex items-center gap-1 rounded-full border preset:border-transparent px-2.5 py-0.5 text-sm font-medium [&_svg]:size-4",
  {
    variants: {
      variant: {
        default: "bg-primary-soft text-primary",
        neutral: "bg-muted text-muted-foreground",
        outline: "border-input text-foreground",
        warning: "bg-warning-soft text-warning",
        destructive: "bg-destructive-soft text-destructive",
        success: "bg-success-soft text-success",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export interface BadgeProps extends ComponentProps<"span">, VariantProps<typeof badgeVariants> {}

/** Renders a short label with a coloured background. */
export function Badge({ variant, className, ...props }: BadgeProps) {
  return <span className={cn(badgeVariants({ variant }), className)} {...props} />;
}
