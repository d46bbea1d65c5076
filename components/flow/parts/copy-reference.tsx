"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";

/** Renders a button that copies the order reference, and says whether that worked. */
export function CopyReference({ reference }: { reference: string }) {
  const [result, setResult] = useState("");

  async function copy() {
    try {
      // `navigator.clipboard` is undefined on plain http pages.
      await navigator.clipboard.writeText(reference);
      setResult("Reference copied");
    } catch {
      setResult("Please copy it yourself");
    }
  }

  return (
    <>
      <Button variant="outline" size="sm" onClick={() => void copy()}>
        Copy reference
      </Button>
      <span role="status" className="text-sm text-muted-foreground">
        {result}
      </span>
    </>
  );
}
