"use client";

import { Footer, type FooterProps } from "@/components/site/footer";
import { StaticHtml } from "@/components/site/static-html";

const place = { id: "site-footer", className: "contents" };

/** The footer, written by the server and left as it is; see kept-html.tsx. */
export function StaticFooter(props: FooterProps) {
  if (typeof window !== "undefined") return <StaticHtml {...place} />;
  return (
    <div {...place}>
      <Footer {...props} />
    </div>
  );
}
