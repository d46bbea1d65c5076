"use client";

import { useState, type ReactNode } from "react";
import type { PostDetails } from "@/lib/http/api-responses";
import { cn } from "@/lib/client/cn";

export interface PostImageProps {
  details: PostDetails;
  className?: string;
  /** Stands under "Image not available". */
  children?: ReactNode;
}

/** The post's picture in a box of fixed shape, or the words that there is none. */
export function PostImage({ details, className, children }: PostImageProps) {
  const [broken, setBroken] = useState(false);
  const kind = details.type === "reel" ? "reel" : "post";
  if (details.imageUrl && !broken) {
    return (
      // Any host can be its source, and it is shown once: the image optimizer would only add a copy of it.
      // eslint-disable-next-line @next/next/no-img-element
      <img
        src={details.imageUrl}
        alt={details.username ? `The ${kind} by ${details.username}` : `The ${kind}`}
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
        // Firefox writes the alternative text into the box while the picture is on its way.
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
