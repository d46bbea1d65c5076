import type { Metadata } from "next";
import { StartOverNotice, startOverTitle } from "@/components/flow/start-over-notice";

export const metadata: Metadata = {
  title: startOverTitle,
  robots: { index: false },
};

/** Served by the flow guard in place of a step that may not open yet. */
export default function StartOverPage() {
  return <StartOverNotice />;
}
