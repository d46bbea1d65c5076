import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

const progressVariants = cva(
  [
    "block preset:h-2.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-border",
    "forced-colors:border forced-colors:border-solid",
    "[&::-webkit-progress-bar]:bg-transparent",
    "[&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:transition-[inline-size]",
    "[&::-webkit-progress-value]:duration-200 [&::-webkit-progress-value]:ease-out",
    "[&::-moz-progress-bar]:rounded-full",
    "forced-colors:[&::-webkit-progress-value]:bg-[Highlight] forced-colors:[&::-moz-progress-bar]:bg-[Highlight]",
  ],
  {
    variants: {
      tone: {
        primary: "[&::-moz-progress-bar]:bg-primary [&::-webkit-progress-value]:bg-primary",
        warning: "[&::-moz-progress-bar]:bg-warning-fill [&::-webkit-progress-value]:bg-warning-fill",
        destructive: "[&::-moz-progress-bar]:bg-destructive [&::-webkit-progress-value]:bg-destructive",
      },
    },
  },
);

export interface ProgressProps
  extends Omit<ComponentProps<"progress">, "value" | "max">, VariantProps<typeof progressVariants> {
  /** Percentage, 0 to 100. */
  value: number;
  label: string;
}

/** Renders a progress element. A bar of div elements would need inline styles, but the CSP blocks them. */
export function Progress({ value, label, tone, className, ...props }: ProgressProps) {
  return (
    <progress
      max={100}
      value={Math.min(100, Math.max(0, value))}
      aria-label={label}
      className={cn(progressVariants({ tone }), className)}
      {...props}
    />
  );
}
