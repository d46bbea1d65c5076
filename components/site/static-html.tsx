"use client";

import { useState } from "react";

/**
 * Keeps the server-rendered HTML of an element during hydration. The client bundle does not contain the part
 * inside, because builds replace `typeof window` with a constant (docs/decisions/0020-islands.md). Example:
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
