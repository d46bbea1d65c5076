import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps, ReactNode } from "react";
import { CircleAlertIcon, CircleCheckIcon, InfoIcon, WarningIcon } from "@/components/ui/icons";
import { cn } from "@/lib/client/cn";

const alertVariants = cva("flex gap-3 rounded border px-4 py-3.5 text-foreground", {
  variants: {
    variant: {
      info: "bg-muted",
      warning: "border-warning/40 bg-warning-soft",
      destructive: "border-destructive/40 bg-destructive-soft",
      success: "border-success/40 bg-success-soft",
    },
  },
  defaultVariants: { variant: "info" },
});

const icons = {
  info: { Icon: InfoIcon, tone: "text-muted-foreground" },
  warning: { Icon: WarningIcon, tone: "text-warning" },
  destructive: { Icon: CircleAlertIcon, tone: "text-destructive" },
  success: { Icon: CircleCheckIcon, tone: "text-success" },
};

export interface AlertProps extends Omit<ComponentProps<"div">, "title">, VariantProps<typeof alertVariants> {
  title?: ReactNode;
}

/** Renders a message with an icon. With `role="alert"`, screen readers announce the message. */
export function Alert({ variant, title, className, children, ...props }: AlertProps) {
  const { Icon, tone } = icons[variant ?? "info"];
  return (
    <div data-message className={cn(alertVariants({ variant }), className)} {...props}>
      <Icon className={cn("mt-0.5", tone)} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
