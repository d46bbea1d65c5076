"use client";

import { Header, type HeaderProps } from "@/components/site/header";
import { StaticHtml } from "@/components/site/static-html";

const place = { id: "site-header", className: "contents" };

/** The header, written by the server and left as it is; see kept-html.tsx. */
export function StaticHeader(props: HeaderProps) {
  if (typeof window !== "undefined") return <StaticHtml {...place} />;
  return (
    <div {...place}>
      <Header {...props} />
    </div>
  );
}
