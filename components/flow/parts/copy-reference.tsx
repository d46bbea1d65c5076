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
      setResult("Your browser does not let us copy it. Please select it yourself.");
    }
  }

  return (
    <>
      <Button variant="outline" size="sm" aria-label="Copy the order reference" onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status" className="text-sm text-muted-foreground">
        {result}
      </span>
    </>
  );
}
