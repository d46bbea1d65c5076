import type { ComponentProps, ReactNode } from "react";
import { CircleAlertIcon, InfoIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";

const variants = {
  info: { Icon: InfoIcon, tone: "text-muted-foreground", frame: "bg-muted" },
  warning: { Icon: InfoIcon, tone: "text-warning", frame: "bg-warning-soft" },
  destructive: {
    Icon: CircleAlertIcon,
    tone: "text-destructive",
    frame: "border-destructive/40 bg-destructive-soft",
  },
};

export interface AlertProps extends Omit<ComponentProps<"div">, "title"> {
  variant?: keyof typeof variants;
  title?: ReactNode;
}

/**
 * Renders a message with an icon. Large text stands below the icon. With `role="alert"`, screen readers announce the message.
 */
export function Alert({ variant = "info", title, className, children, ...props }: AlertProps) {
  const { Icon, tone, frame } = variants[variant];
  return (
    <div
      data-message
      className={cn("flex flex-wrap gap-x-3 rounded border px-4 py-3.5 text-foreground", frame, className)}
      {...props}
    >
      <Icon className={cn("mt-0.5", tone)} />
      <div className="min-w-0 flex-1 basis-40">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
