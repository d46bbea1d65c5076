import type { VariantProps } from "class-variance-authority";
import type { ComponentProps, MouseEvent } from "react";
import { buttonVariants } from "@/components/ui/button-variants";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/client/cn";

interface Look extends VariantProps<typeof buttonVariants> {
  /** Shows a spinner and ignores presses; unlike with `disabled`, the button keeps the focus and stays readable. */
  loading?: boolean;
}

export interface ButtonProps extends ComponentProps<"button">, Look {}
export interface ButtonLinkProps extends ComponentProps<"a">, Look {}

/** A button; `type="button"` unless told otherwise. */
export function Button(props: ButtonProps) {
  return <button type="button" {...withLook(props)} />;
}

/** A link that looks like a button, where a press leads to another page. */
export function ButtonLink(props: ButtonLinkProps) {
  return <a {...withLook(props)} />;
}

function withLook<Props extends ButtonProps | ButtonLinkProps>({
  variant,
  size,
  loading = false,
  className,
  children,
  ...props
}: Props) {
  return {
    ...props,
    ...(loading && { "aria-disabled": true, "aria-busy": true, onClick: ignore }),
    className: cn(buttonVariants({ variant, size }), loading && "cursor-progress", className),
    children: (
      <>
        {loading && <Spinner />}
        {children}
      </>
    ),
  };
}

function ignore(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
