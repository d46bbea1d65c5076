"use client";

import { useState } from "react";

/**
 * Hydrates an element without changing its server-rendered HTML. Its content is then neither in the hydration
 * data nor in the client bundle (docs/decisions/0020-islands.md). Next.js replaces `typeof window` in builds:
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
