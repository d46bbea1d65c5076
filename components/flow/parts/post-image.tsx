"use client";

import { useState, type ReactNode } from "react";
import type { PostDetails } from "@/lib/http/api-responses";
import { cn } from "@/lib/client/cn";

export interface PostImageProps {
  details: PostDetails;
  className?: string;
  /** Shown below the text "Image not available". */
  children?: ReactNode;
}

/** Renders the post's picture. Renders "Image not available" if the picture is missing or fails to load. */
export function PostImage({ details, className, children }: PostImageProps) {
  const [broken, setBroken] = useState(false);
  if (details.imageUrl && !broken) {
    return (
      // Uses <img>, because pictures come from any host and the site does not use the Next.js image optimizer.
      // eslint-disable-next-line @next/next/no-img-element
      <img
        src={details.imageUrl}
        alt={details.username ? `The ${details.type} by ${details.username}` : `The ${details.type}`}
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
        // `text-transparent` hides the alternative text, which Firefox would show while the picture loads.
        className={cn(
          "aspect-square preset:w-full rounded bg-muted object-cover text-transparent",
          className,
        )}
      />
    );
  }
  return (
    <div
      className={cn(
        "grid preset:aspect-square preset:w-full place-content-center gap-1 rounded bg-muted p-2 text-center text-sm text-muted-foreground",
        className,
      )}
    >
      <p>Image not available</p>
      {children}
    </div>
  );
}
