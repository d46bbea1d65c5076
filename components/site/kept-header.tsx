"use client";

import { usePathname } from "next/navigation";
import { Header, type HeaderProps } from "@/components/site/header";
import { KeptHtml } from "@/components/site/kept-html";

const place = { id: "site-header", className: "contents" };

type KeptHeaderProps = Omit<HeaderProps, "path">;

/** The header, written by the server for the page it heads, and left as it is; see kept-html.tsx. */
export function KeptHeader(props: KeptHeaderProps) {
  if (typeof window !== "undefined") return <KeptHtml {...place} />;
  return (
    <div {...place}>
      <PageHeader {...props} />
    </div>
  );
}

function PageHeader(props: KeptHeaderProps) {
  return <Header {...props} path={usePathname()} />;
}
