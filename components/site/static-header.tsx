"use client";

import { Header, type HeaderProps } from "@/components/site/header";
import { StaticHtml } from "@/components/site/static-html";

const container = { id: "site-header", className: "contents" };

/** Renders the header on the server only. In the browser, StaticHtml keeps the HTML of the server. */
export function StaticHeader(props: HeaderProps) {
  if (typeof window !== "undefined") return <StaticHtml {...container} />;
  return (
    <div {...container}>
      <Header {...props} />
    </div>
  );
}
