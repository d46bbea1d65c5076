"use client";

import { useState, type ComponentType, type RefObject } from "react";
import type { CaptchaHandle } from "@/components/captcha/captcha";
import type { VerificationDialogProps } from "@/components/captcha/verification-dialog";
import { toast } from "@/lib/client/toast";

const loadDialog = () =>
  import("@/components/captcha/verification-dialog").then((module) => module.VerificationDialog);

export interface VerificationDialogState {
  /** Null until it was needed for the first time. */
  Dialog: ComponentType<VerificationDialogProps> | null;
  props: VerificationDialogProps;
  /** Fetches its code ahead: it is needed at the press of the button, which should not wait. */
  preload: () => void;
  open: () => Promise<void>;
}

/** The dialog that asks for the human check. It loads when the form is used; closing it resets the check. */
export function useVerificationDialog(captcha: RefObject<CaptchaHandle | null>): VerificationDialogState {
  const [Dialog, setDialog] = useState<ComponentType<VerificationDialogProps> | null>(null);
  const [open, setOpen] = useState(false);

  return {
    Dialog,
    props: {
      open,
      onClose() {
        setOpen(false);
        captcha.current?.reset();
        captcha.current?.focus();
      },
    },
    preload() {
      void loadDialog().catch(() => {
        // Tried again when it is needed.
      });
    },
    async open() {
      try {
        const loaded = await loadDialog();
        setDialog(() => loaded);
        setOpen(true);
      } catch {
        // Its file is gone, say after a new release: the same words in another way.
        toast({
          title: "Verification Required",
          description: "Please complete the verification to continue.",
        });
        captcha.current?.focus();
      }
    },
  };
}
