import { Heart, MessageCircle, Share2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { SampleLabel } from "@/components/content/sample-label";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent } from "@/components/ui/card";
import type { PostDetails } from "@/lib/schemas/api-responses";
import { cn } from "@/lib/client/cn";
import { canonicalLink } from "@/lib/flow/post-links";

/** Returns "Reel" for a reel and "Post" for any other post. */
export function postKind(details: Pick<PostDetails, "type">): string {
  return details.type === "reel" ? "Reel" : "Post";
}

/** Returns the text that replaces "Your post is public" for a post that nobody has looked up. */
export function notCheckedText({ type }: Pick<PostDetails, "type">): string {
  return `We could not check your ${type} now. If it is private, it cannot get likes.`;
}

export interface PostCardProps {
  details: PostDetails;
  /** Text about the likes, beside disabled icons for like, comment and share. */
  likes?: string | false;
  /** Title above the post. */
  title?: string;
  /** True folds the post to one row with its id. */
  folded?: boolean;
  /** True for the preview: the picture is larger, a missing picture is mentioned, and the caption is shown. */
  large?: boolean;
  /** Shown below the post in the same card, for example the actions. */
  children: ReactNode;
}

/** Renders the visitor's post: picture, account and post id. A post without a picture has a link instead. */
export function PostCard({ details, title, likes, folded = false, large = false, children }: PostCardProps) {
  const [broken, setBroken] = useState(false);
  const { username, postId, type, caption, imageUrl, note, checked, sample } = details;
  const hasPicture = imageUrl && !broken;
  const heading = title && <h2 className="text-h3">{title}</h2>;
  return (
    <Card className={cn(folded && "max-sm:gap-3", "short:grid short:grid-cols-2 short:gap-3 short:py-3")}>
      {title && !folded && <CardContent>{heading}</CardContent>}
      <CardContent className={cn("flex flex-wrap items-center", folded ? "min-h-12 gap-3" : "gap-4")}>
        {hasPicture && (
          // Uses <img>, because pictures come from any host and the site does not use the Next.js image optimizer.
          // eslint-disable-next-line @next/next/no-img-element
          <img
            src={imageUrl}
            alt={username ? `The ${type} by ${username}` : `The ${type}`}
            referrerPolicy="no-referrer"
            onError={() => setBroken(true)}
            // `text-transparent` hides the alternative text, which Firefox would show while the picture loads.
            className={cn(
              "shrink-0 rounded bg-muted object-cover text-transparent",
              folded ? "size-10" : large ? "size-30 sm:size-72 short:size-32" : "size-24 sm:size-32",
            )}
          />
        )}
        <div className={cn("flex min-w-0 flex-1 basis-40 flex-col", !folded && "gap-1")}>
          {folded && heading}
          {!folded && (
            <>
              <div className="mb-1 flex flex-wrap items-center gap-1.5">
                {checked ? (
                  <Badge variant="success">Public</Badge>
                ) : (
                  <Badge variant="outline">Not checked</Badge>
                )}
                <Badge variant="neutral">{postKind(details)}</Badge>
                <SampleLabel sample={sample} />
              </div>
              <p translate={username ? "no" : undefined} className="font-semibold wrap-anywhere">
                {username ?? "Instagram User"}
              </p>
            </>
          )}
          <p translate="no" className="code text-muted-foreground">
            {postId}
          </p>
          {!hasPicture && !folded && (
            <div className="text-sm">
              {large && <p>Image not available</p>}
              {large && note && checked && <p>Limited preview due to API permissions</p>}
              <a href={canonicalLink(details)} rel="noreferrer" className="link">
                Open it to make sure it is yours
              </a>
            </div>
          )}
        </div>
      </CardContent>
      {likes !== undefined && !folded && (
        <CardContent className="flex flex-wrap items-center justify-between gap-2 border-t pt-4 text-muted-foreground">
          <div className="-ml-2 flex">
            {icons.map(({ label, Icon }) => (
              <button key={label} type="button" disabled aria-label={label} className="p-2 opacity-60">
                <Icon strokeWidth={1.5} className="size-5" aria-hidden="true" />
              </button>
            ))}
          </div>
          {likes && <p className="font-semibold text-primary">{likes}</p>}
        </CardContent>
      )}
      {large && (caption || (note && checked)) && (
        <CardContent>
          {caption && (
            <p dir="auto" className="line-clamp-3 text-muted-foreground">
              {caption}
            </p>
          )}
          {note && checked && (
            <p className="text-sm text-muted-foreground">
              Note: We can&apos;t display the post preview, but we can still send likes to this content.
            </p>
          )}
        </CardContent>
      )}
      <CardContent className="flex flex-col gap-3 sm:gap-4 short:col-start-2 short:row-span-3 short:row-start-1">
        {children}
      </CardContent>
    </Card>
  );
}

const icons = [
  { label: "Like", Icon: Heart },
  { label: "Comment", Icon: MessageCircle },
  { label: "Share", Icon: Share2 },
];
