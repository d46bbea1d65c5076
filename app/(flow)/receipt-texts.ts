import type { ReceiptTexts } from "@/components/flow/success/receipt";
import type { DemoMode } from "@/lib/config/build-settings";
import { limits } from "@/lib/config/limits";
import { getSiteSettings } from "@/lib/server/config/env";

const notices: Record<DemoMode, ReceiptTexts["notice"]> = {
  demo: {
    title: "Demo mode: nothing was sent.",
    text: "Your request was accepted and counted, but no likes go to Instagram from this site.",
  },
  trial: {
    title: "Demo mode: no likes were sent.",
    text:
      "Your request was taken by the example service on this machine, but no likes go to Instagram from this " +
      "site.",
  },
};

const likes = limits.likesPerRequest;

/** Returns the texts of the receipt for this site. */
export function getReceiptTexts(): ReceiptTexts {
  const { demoMode } = getSiteSettings();
  return demoMode
    ? {
        notice: notices[demoMode],
        dots: { state: "requested", caption: `${likes} requested, none sent` },
        nextTitle: "What would happen on a live site",
      }
    : {
        notice: null,
        dots: { state: "accepted", caption: `${likes} accepted` },
        nextTitle: "What happens next",
      };
}
