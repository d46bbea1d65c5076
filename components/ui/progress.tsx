import { cn } from "@/lib/client/cn";

const toneClass = {
  primary: "text-primary",
  warning: "text-warning-fill",
  destructive: "text-destructive",
};

export interface ProgressProps {
  /** Percentage, 0 to 100. */
  value: number;
  label: string;
  tone?: keyof typeof toneClass;
  className?: string;
}

/** Renders a progress element. A bar of div elements would need inline styles, but the CSP blocks them. */
export function Progress({ value, label, tone = "primary", className }: ProgressProps) {
  return (
    <progress
      max={100}
      value={Math.min(100, Math.max(0, value))}
      aria-label={label}
      className={cn(toneClass[tone], className)}
    />
  );
}
