"use client";

import { useState } from "react";

/**
 * Takes over what the server has written, as it stands: for parts that never change, on pages that the framework runs
 * (docs/decisions/0020-islands.md). Their text then comes once, as HTML, and neither in the data from which the framework takes the page over nor in its scripts. React leaves the content
 * of an element alone whose HTML is given; it is read from the page, for the case that React draws everything anew.
 *
 * A part uses it in the browser, and draws itself on the server; `typeof window`, which the build knows, keeps the one
 * out of the other's code:
 *
 *     if (typeof window === "undefined") return <div id="part"><Part /></div>;
 *     return <KeptHtml id="part" />;
 */
export function StaticHtml({ id, className }: { id: string; className?: string }) {
  const [html] = useState(() => document.getElementById(id)?.innerHTML ?? "");
  return (
    <div id={id} className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
  );
}
