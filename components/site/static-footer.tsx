"use client";

import { Footer, type FooterProps } from "@/components/site/footer";
import { StaticHtml } from "@/components/site/static-html";

const container = { id: "site-footer", className: "contents" };

/** Renders the footer on the server only. In the browser, StaticHtml keeps the HTML of the server. */
export function StaticFooter(props: FooterProps) {
  if (typeof window !== "undefined") return <StaticHtml {...container} />;
  return (
    <div {...container}>
      <Footer {...props} />
    </div>
  );
}
