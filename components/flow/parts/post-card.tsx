"use client";

import { Heart, MessageCircle, Share2 } from "lucide-react";
import type { ReactNode } from "react";
import { PostImage } from "@/components/flow/parts/post-image";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent } from "@/components/ui/card";
import type { PostDetails } from "@/lib/http/api-responses";
import { limits } from "@/lib/config/limits";

/** Returns "Reel" for a reel and "Post" for any other post. */
export function postKind(details: Pick<PostDetails, "type">): string {
  return details.type === "reel" ? "Reel" : "Post";
}

export interface PostCardProps {
  details: PostDetails;
  /** If true, the card also shows badges, and disabled icons for like, comment and share. */
  preview?: boolean;
  showLikesComing?: boolean;
  /** If true, the picture is as wide as the card. */
  large?: boolean;
  children?: ReactNode;
}

/** Renders a summary of the visitor's post with the picture, the account name and the post id. */
export function PostCard({ details, preview, showLikesComing, large, children }: PostCardProps) {
  return (
    <Card className="gap-4">
      <CardContent className={large ? "flex flex-col-reverse gap-4" : "flex gap-4"}>
        <PostImage details={details} className={large ? "mx-auto max-w-sm" : "size-24 shrink-0 sm:size-32"}>
          {large && details.note && <p>Limited preview due to API permissions</p>}
        </PostImage>
        <div className="flex min-w-0 flex-col gap-1">
          {preview && (
            <div className="mb-1 flex flex-wrap gap-1.5">
              <Badge variant="success">Public</Badge>
              <Badge variant="neutral">{postKind(details)}</Badge>
            </div>
          )}
          <p translate={details.username ? "no" : undefined} className="wrap-anywhere font-semibold">
            {details.username ?? "Instagram User"}
          </p>
          <p translate="no" className="code text-muted-foreground">
            {details.postId}
          </p>
        </div>
      </CardContent>
      {preview && (
        <CardContent className="flex flex-wrap items-center justify-between gap-2 border-t pt-3 text-muted-foreground">
          <PostIcons />
          {showLikesComing && (
            <p className="font-semibold text-primary">+{limits.likesPerRequest} likes coming</p>
          )}
        </CardContent>
      )}
      {children && <CardContent>{children}</CardContent>}
    </Card>
  );
}

const icons = [
  { label: "Like", Icon: Heart },
  { label: "Comment", Icon: MessageCircle },
  { label: "Share", Icon: Share2 },
];

function PostIcons() {
  return (
    <div className="-ml-2 flex">
      {icons.map(({ label, Icon }) => (
        <button key={label} type="button" disabled aria-label={label} className="p-2 opacity-60">
          <Icon strokeWidth={1.5} className="size-5" aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
