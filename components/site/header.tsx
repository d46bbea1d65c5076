import { legalLinks, mainLinks, supportLinks, type SiteLink } from "@/components/site/links";
import { Logo } from "@/components/site/logo";
import { ChevronDownIcon, XIcon, MenuIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";
import { findPage, type Page } from "@/lib/http/pages";

const menuId = "site-menu";
const supportId = "support-menu";

/** Renders skip link, logo and navigation. The menus use the popover attribute and need no JavaScript. */
export function Header({ siteName, page }: { siteName: string; page: Page | undefined }) {
  const inSupport = supportLinks.some((link) => leadsTo(link, page));
  return (
    <header id="site-header" className="relative border-b bg-card">
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
            <NavLink key={link.href} link={link} page={page} />
          ))}
          <button
            type="button"
            popoverTarget={supportId}
            aria-current={inSupport || undefined}
            className="nav-item site-menu-toggle"
          >
            Support
            <ChevronDownIcon className="size-4" />
          </button>
          {/* Browsers position an open popover relative to the page, not to the header. */}
          <ul
            id={supportId}
            popover="auto"
            role="list"
            className="site-menu absolute inset-auto top-15 right-[max(0.75rem,calc(50%-35.25rem))] m-0 min-w-52 rounded border bg-card p-1.5 text-foreground shadow"
          >
            <LinkItems links={supportLinks} page={page} />
          </ul>
        </nav>

        <button
          type="button"
          popoverTarget={menuId}
          className="nav-item site-menu-toggle -mr-2 gap-2 px-2 md:hidden"
        >
          <MenuIcon className="size-6" />
          Menu
        </button>
      </div>

      <nav
        id={menuId}
        popover="auto"
        aria-label="Menu"
        className="site-menu site-menu-slide fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-80 max-w-[88vw] overflow-y-auto overscroll-contain border-0 border-l bg-card px-3 pb-3 text-foreground shadow"
      >
        <div className="sticky top-0 flex min-h-12 items-center justify-end bg-card">
          <button
            type="button"
            popoverTarget={menuId}
            popoverTargetAction="hide"
            aria-label="Close menu"
            className="-mr-1 grid size-11 place-items-center rounded transition-colors hover:bg-muted"
          >
            <XIcon className="size-6" />
          </button>
        </div>
        <MenuGroup links={mainLinks} page={page} />
        <MenuGroup title="Support" links={supportLinks} page={page} />
        <MenuGroup title="Legal" links={legalLinks} page={page} />
      </nav>
    </header>
  );
}

interface LinksProps {
  links: readonly SiteLink[];
  page: Page | undefined;
}

function MenuGroup({ title, ...links }: LinksProps & { title?: string }) {
  const titleId = title && `${menuId}-${title.toLowerCase()}`;
  return (
    <div className={cn(title && "mt-1.5 border-t pt-2")}>
      {title && (
        <p id={titleId} className="px-3 text-sm font-medium text-muted-foreground">
          {title}
        </p>
      )}
      <ul role="list" aria-labelledby={titleId}>
        <LinkItems {...links} />
      </ul>
    </div>
  );
}

function LinkItems({ links, page }: LinksProps) {
  return links.map((link) => (
    <li key={link.href}>
      <NavLink link={link} page={page} />
    </li>
  ));
}

function NavLink({ link, page }: { link: SiteLink; page: Page | undefined }) {
  return (
    <a href={link.href} aria-current={leadsTo(link, page) ? "page" : undefined} className="nav-item">
      {link.label}
    </a>
  );
}

/** Returns true if the link opens the page. For example, "/privacy" may be an alias. */
function leadsTo(link: SiteLink, page: Page | undefined): boolean {
  return page !== undefined && findPage(link.href) === page;
}
