import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps, MouseEvent } from "react";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/client/cn";

const buttonVariants = cva(
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
        outline: "border-input/60 bg-card text-foreground hover:bg-muted",
        busy: "border-transparent bg-muted text-muted-foreground *:first:text-primary",
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

interface ButtonStyleProps extends VariantProps<typeof buttonVariants> {
  /** If true, shows a spinner and ignores clicks. The button keeps the focus, because it is not disabled. */
  loading?: boolean;
}

export interface ButtonProps extends ComponentProps<"button">, ButtonStyleProps {}
export interface ButtonLinkProps extends ComponentProps<"a">, ButtonStyleProps {}

/** Renders a button. The default `type` is "button", not "submit" as in HTML. */
export function Button(props: ButtonProps) {
  return <button type="button" {...toElementProps(props)} />;
}

/** Renders a link that looks like a button. Use it to open another page. */
export function ButtonLink(props: ButtonLinkProps) {
  return <a {...toElementProps(props)} />;
}

function toElementProps<Props extends ButtonProps | ButtonLinkProps>({
  variant,
  size,
  loading = false,
  className,
  children,
  ...props
}: Props) {
  return {
    ...props,
    ...(loading && { "aria-disabled": true, "aria-busy": true, onClick: cancelClick }),
    className: cn(buttonVariants({ variant, size }), loading && "cursor-progress", className),
    children: (
      <>
        {loading && <Spinner />}
        {/* Browser translation replaces text nodes. Without the span, React then fails to add the spinner. */}
        <span className="inline-flex flex-wrap items-center justify-center gap-2">{children}</span>
      </>
    ),
  };
}

function cancelClick(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
