"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { writeClipboard } from "@/lib/client/browser/clipboard";

/** Renders a button that copies the order reference, and says whether that worked. */
export function CopyReference({ reference }: { reference: string }) {
  const [result, setResult] = useState("");

  function copy() {
    writeClipboard(reference).then(
      () => setResult("Reference copied"),
      () => setResult("Please copy it yourself"),
    );
  }

  return (
    <>
      <Button variant="outline" size="sm" onClick={copy}>
        Copy reference
      </Button>
      <span role="status" className="text-sm text-muted-foreground">
        {result}
      </span>
    </>
  );
}
