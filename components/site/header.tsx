import { legalLinks, mainLinks, supportLinks, type SiteLink } from "@/components/site/links";
import { Logo } from "@/components/site/logo";
import { ChevronDownIcon, CloseIcon, MenuIcon } from "@/components/ui/icons";
import { cn } from "@/lib/client/cn";

const menuId = "site-menu";
const supportId = "support-menu";

const itemClass =
  "flex min-h-11 items-center preset:gap-1 rounded preset:px-3 font-medium transition-colors hover:bg-muted hover:text-primary";

export interface HeaderProps {
  siteName: string;
}

/** Skip link, logo, and navigation. Native popovers open the menus, so it works without script. */
export function Header({ siteName }: HeaderProps) {
  return (
    <header className="relative border-b bg-card">
      <a
        href="#main"
        className="absolute top-2 left-2 z-10 -translate-y-20 rounded bg-primary px-4 py-2.5 font-semibold text-primary-foreground focus:translate-y-0"
      >
        Skip to main content
      </a>
      <div className="page-width flex min-h-14 flex-wrap items-center justify-between md:min-h-16">
        <Logo siteName={siteName} />

        <nav aria-label="Main" className="site-nav hidden flex-wrap items-center md:-mr-3 md:flex">
          {mainLinks.map((link) => (
            <a key={link.href} href={link.href} className={itemClass}>
              {link.label}
            </a>
          ))}
          <button type="button" popoverTarget={supportId} className={cn(itemClass, "site-menu-toggle group")}>
            Support
            <ChevronDownIcon className="size-4" />
          </button>
          {/* In the top layer it stands on the page itself: below the header, at the right edge of its content. */}
          <ul
            id={supportId}
            popover="auto"
            role="list"
            className="site-menu absolute inset-auto top-15 right-[max(0.75rem,calc(50%-35.25rem))] m-0 min-w-52 rounded border bg-card p-1.5 text-foreground shadow"
          >
            <LinkItems links={supportLinks} />
          </ul>
        </nav>

        <button
          type="button"
          popoverTarget={menuId}
          className={cn(itemClass, "site-menu-toggle -mr-2 gap-2 px-2 md:hidden")}
        >
          <MenuIcon className="size-6" />
          Menu
        </button>
      </div>

      <nav
        id={menuId}
        popover="auto"
        aria-label="Menu"
        className="site-menu site-menu-slide fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-80 max-w-[88vw] overflow-y-auto overscroll-contain border-0 border-l bg-card px-3 pb-6 text-foreground shadow"
      >
        <div className="sticky top-0 flex min-h-14 items-center justify-end bg-card">
          <button
            type="button"
            popoverTarget={menuId}
            popoverTargetAction="hide"
            aria-label="Close menu"
            className="-mr-1 grid size-11 place-items-center rounded transition-colors hover:bg-muted"
          >
            <CloseIcon className="size-6" />
          </button>
        </div>
        <MenuGroup links={mainLinks} />
        <MenuGroup title="Support" links={supportLinks} />
        <MenuGroup title="Legal" links={legalLinks} />
      </nav>
    </header>
  );
}

function MenuGroup({ title, links }: { title?: string; links: readonly SiteLink[] }) {
  const titleId = title && `${menuId}-${title.toLowerCase()}`;
  return (
    <div className={cn(title && "mt-3 border-t pt-4")}>
      {title && (
        <p id={titleId} className="px-3 pb-1 text-sm font-medium text-muted-foreground">
          {title}
        </p>
      )}
      <ul role="list" aria-labelledby={titleId}>
        <LinkItems links={links} />
      </ul>
    </div>
  );
}

function LinkItems({ links }: { links: readonly SiteLink[] }) {
  return links.map((link) => (
    <li key={link.href}>
      <a href={link.href} className={itemClass}>
        {link.label}
      </a>
    </li>
  ));
}
