"use client";

import { usePathname } from "next/navigation";
import { Footer, type FooterProps } from "@/components/site/footer";
import { KeptHtml } from "@/components/site/kept-html";

const place = { id: "site-footer", className: "contents" };

type KeptFooterProps = Omit<FooterProps, "path">;

/** The footer, written by the server for the page it ends, and left as it is; see kept-html.tsx. */
export function KeptFooter(props: KeptFooterProps) {
  if (typeof window !== "undefined") return <KeptHtml {...place} />;
  return (
    <div {...place}>
      <PageFooter {...props} />
    </div>
  );
}

function PageFooter(props: KeptFooterProps) {
  return <Footer {...props} path={usePathname()} />;
}
