import { ArrowRightIcon, ExternalLinkIcon, type LucideIcon } from "lucide-react";

export interface LinkCard {
  Icon?: LucideIcon;
  href: string;
  title: string;
  body: string;
  external?: boolean;
}

/** Renders a grid of cards. The whole area of a card is a link. */
export function LinkCards({
  cards,
  level: Heading = "h3",
}: {
  cards: readonly LinkCard[];
  level?: "h2" | "h3";
}) {
  return (
    <ul role="list" className="grid grid-cols-1 gap-4 md:grid-cols-3">
      {cards.map(({ Icon, href, title, body, external = false }) => {
        const Mark = external ? ExternalLinkIcon : ArrowRightIcon;
        return (
          <li
            key={href}
            className="relative flex flex-wrap gap-x-4 gap-y-1 rounded border bg-card px-4 py-5 shadow transition-colors hover:border-primary sm:px-6"
          >
            {Icon && <Icon className="mt-0.5 size-6 text-primary" />}
            <div className="min-w-0 flex-1 basis-40">
              <Heading className="pr-4 text-h3">
                <a
                  href={href}
                  rel={external ? "noopener" : undefined}
                  className="rounded after:absolute after:inset-0 after:rounded hover:text-primary"
                >
                  {title}
                  {external && <span className="sr-only"> (another site)</span>}
                </a>
              </Heading>
              <p className="mt-1 text-muted-foreground">{body}</p>
            </div>
            <Mark className="absolute top-6 right-4 text-muted-foreground" />
          </li>
        );
      })}
    </ul>
  );
}
