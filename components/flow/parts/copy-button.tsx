"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";

/** Renders a button that copies `text`, and says whether that worked. `label` names the button. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState("");

  async function copy() {
    try {
      // `navigator.clipboard` is undefined on plain http pages.
      await navigator.clipboard.writeText(text);
      setResult("Copied");
    } catch {
      setResult("Your browser does not let us copy it. Please select it yourself.");
    }
  }

  return (
    <>
      <Button variant="outline" size="sm" aria-label={label} onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status" className="text-sm text-muted-foreground">
        {result}
      </span>
    </>
  );
}
