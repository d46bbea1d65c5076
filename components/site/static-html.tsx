"use client";

import { useState } from "react";

/**
 * Hydrates an element without changing its server-rendered HTML. The hydration data and the client bundle do
 * not contain this HTML (docs/decisions/0020-islands.md). Builds replace `typeof window` with a constant:
 *
 *     if (typeof window === "undefined") return <div id="part"><Part /></div>;
 *     return <StaticHtml id="part" />;
 */
export function StaticHtml({ id, className }: { id: string; className?: string }) {
  const [html] = useState(() => document.getElementById(id)?.innerHTML ?? "");
  return (
    <div id={id} className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
  );
}
