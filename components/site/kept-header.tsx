"use client";

import { Header, type HeaderProps } from "@/components/site/header";
import { KeptHtml } from "@/components/site/kept-html";

const place = { id: "site-header", className: "contents" };

/** The header, written by the server and left as it is; see kept-html.tsx. */
export function KeptHeader(props: HeaderProps) {
  if (typeof window !== "undefined") return <KeptHtml {...place} />;
  return (
    <div {...place}>
      <Header {...props} />
    </div>
  );
}
