"use client";

import * as ToastPrimitive from "@radix-ui/react-toast";
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { CloseIcon } from "@/components/ui/icons";
import { cn } from "@/lib/client/cn";

export const ToastProvider = ToastPrimitive.Provider;

/** Renders the area for toasts: the lower edge on phones, the lower right corner on wider screens. */
export function ToastViewport({ className, ...props }: ComponentProps<typeof ToastPrimitive.Viewport>) {
  return (
    <ToastPrimitive.Viewport
      className={cn(
        "fixed right-0 bottom-0 z-50 flex w-full flex-col p-3 outline-offset-0 sm:max-w-md sm:p-6",
        className,
      )}
      {...props}
    />
  );
}

const toastVariants = cva(
  [
    "flex items-start gap-3 rounded border bg-card py-3 pr-1.5 pl-4 text-card-foreground shadow",
    "data-[state=closed]:animate-vanish data-[state=open]:animate-rise",
    "data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]",
    "data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
    "data-[swipe=end]:animate-swipe-out",
  ],
  {
    variants: {
      variant: {
        default: "",
        destructive: "border-destructive/50",
        success: "border-success/50",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export interface ToastProps
  extends ComponentProps<typeof ToastPrimitive.Root>, VariantProps<typeof toastVariants> {}

export function Toast({ variant, className, ...props }: ToastProps) {
  return <ToastPrimitive.Root className={cn(toastVariants({ variant }), className)} {...props} />;
}

export function ToastTitle({ className, ...props }: ComponentProps<typeof ToastPrimitive.Title>) {
  return <ToastPrimitive.Title className={cn("font-semibold", className)} {...props} />;
}

export function ToastDescription({ className, ...props }: ComponentProps<typeof ToastPrimitive.Description>) {
  return <ToastPrimitive.Description className={cn("text-sm text-muted-foreground", className)} {...props} />;
}

export function ToastClose({ className, ...props }: ComponentProps<typeof ToastPrimitive.Close>) {
  return (
    <ToastPrimitive.Close
      aria-label="Close"
      className={cn(
        "-my-1.5 grid size-11 shrink-0 place-items-center rounded text-muted-foreground transition-colors",
        "hover:bg-muted hover:text-foreground",
        className,
      )}
      {...props}
    >
      <CloseIcon />
    </ToastPrimitive.Close>
  );
}
