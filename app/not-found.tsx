import type { Metadata } from "next";
import { ErrorScreen, errorTitle } from "@/components/site/error-screen";

/** The answer to a 404 is marked noindex by the framework. */
export const metadata: Metadata = { title: errorTitle(404) };

export default function NotFound() {
  return <ErrorScreen status={404} />;
}
