"use client";

import { Footer, type FooterProps } from "@/components/site/footer";
import { KeptHtml } from "@/components/site/kept-html";

const place = { id: "site-footer", className: "contents" };

/** The footer, written by the server and left as it is; see kept-html.tsx. */
export function KeptFooter(props: FooterProps) {
  if (typeof window !== "undefined") return <KeptHtml {...place} />;
  return (
    <div {...place}>
      <Footer {...props} />
    </div>
  );
}
