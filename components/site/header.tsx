import { legalLinks, mainLinks, supportLinks, type SiteLink } from "@/components/site/links";
import { ChevronDownIcon, XIcon, MenuIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";
import { logoMark } from "@/lib/brand/brand";
import { findPage, pages, type Page } from "@/lib/http/pages";

const menuId = "site-menu";
const supportId = "support-menu";
const motion = "transition-[opacity,translate,overlay,display] transition-discrete duration-200 ease-out";

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
            className={cn(
              motion,
              "site-menu opacity-0 open:opacity-100 starting:open:opacity-0 backdrop:bg-transparent absolute inset-auto top-15 right-[max(0.75rem,calc(50%-35.25rem))] m-0 min-w-52 rounded border bg-card p-1.5 text-foreground shadow",
            )}
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
        className={cn(
          motion,
          "site-menu site-menu-slide translate-x-full open:translate-x-0 starting:open:translate-x-full backdrop:bg-overlay fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-80 max-w-[88vw] overflow-y-auto overscroll-contain border-0 border-l bg-card px-3 pb-3 text-foreground shadow",
        )}
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

/** Renders the logo and the site name as a link to the home page. app/icon.svg contains the same shapes. */
function Logo({ siteName }: { siteName: string }) {
  return (
    <a
      href={pages.home.path}
      translate="no"
      className="inline-flex min-h-11 items-center gap-2.5 rounded font-display text-xl font-bold tracking-tight"
    >
      <svg
        viewBox={`0 0 ${logoMark.side} ${logoMark.side}`}
        aria-hidden="true"
        focusable="false"
        fill="none"
        className="size-8 shrink-0"
      >
        <rect width={logoMark.side} height={logoMark.side} rx={logoMark.radius} className="fill-primary" />
        <path d={logoMark.path} strokeWidth={logoMark.strokeWidth} className="stroke-primary-foreground" />
      </svg>
      {siteName}
    </a>
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
