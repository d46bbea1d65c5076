"use client";

import { useEffect, useRef } from "react";
import { legacyPaths, normalizePath } from "@/lib/routes";

/** Tells the server which unknown path was opened. Paths of earlier sites are known, and not reported. */
export function ReportNotFound() {
  const reported = useRef(false);

  useEffect(() => {
    if (reported.current) return;
    reported.current = true;
    const path = window.location.pathname;
    if (legacyPaths.includes(normalizePath(path))) return;
    fetch("/api/404", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path }),
      keepalive: true,
    }).catch(() => {
      // The visitor lost nothing by it.
    });
  }, []);

  return null;
}
