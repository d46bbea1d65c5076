import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** Renders the frame of a card. Each part below has its own padding, so every part is optional. */
export function Card({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn(
        "flex flex-col preset:gap-5 rounded border bg-card py-5 text-card-foreground shadow sm:py-6",
        className,
      )}
      {...props}
    />
  );
}

export function CardHeader({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-col gap-1.5 px-4 sm:px-6", className)} {...props} />;
}

export interface CardTitleProps extends ComponentProps<"h2"> {
  /** Heading level in the outline of the page. Use "p" for a card that is not a section. */
  as?: "h1" | "h2" | "h3" | "h4" | "p";
}

export function CardTitle({ as: Heading = "h2", className, ...props }: CardTitleProps) {
  return <Heading className={cn("font-display text-xl leading-tight font-bold", className)} {...props} />;
}

export function CardDescription({ className, ...props }: ComponentProps<"p">) {
  return <p className={cn("text-muted-foreground", className)} {...props} />;
}

export function CardContent({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("px-4 sm:px-6", className)} {...props} />;
}

/** Renders the actions of a card: stacked on phones, side by side on wider screens. */
export function CardFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn("flex flex-col gap-3 px-4 sm:flex-row sm:items-center sm:px-6", className)}
      {...props}
    />
  );
}
