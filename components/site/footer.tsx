import { footerGroups } from "@/components/site/links";
import { ChevronDownIcon } from "lucide-react";
import { cooldownHours } from "@/lib/content/site";
import { pages, type Page } from "@/lib/http/pages";

export interface FooterProps {
  siteName: string;
  page: Page | undefined;
  /** Name of the person or company that runs the site. Undefined on most demo sites. */
  operator: string | undefined;
  showCookieSettings: boolean;
}

/** Renders the footer. On phones, the footer links are collapsed on the steps after the home page. */
export function Footer({ siteName, page, operator, showCookieSettings }: FooterProps) {
  const isStep = page && page.guard !== "open" && page !== pages.failure;
  return (
    <footer id="site-footer" className="mt-16 border-t bg-muted text-sm dark:bg-card text-muted-foreground">
      {isStep ? (
        <details className="site-fold group">
          <summary className="page-width flex min-h-12 list-none items-center justify-between gap-3 font-medium text-foreground [&::-webkit-details-marker]:hidden">
            About {siteName}, help and legal
            <ChevronDownIcon className="transition-transform group-open:rotate-180" />
          </summary>
          <Links siteName={siteName} />
        </details>
      ) : (
        <Links siteName={siteName} />
      )}
      <div className="page-width">
        <div className="flex flex-wrap items-center justify-between gap-x-6 border-t py-4">
          <p>
            © 2025 {siteName}. Not affiliated with Instagram.{operator && ` Run by ${operator}.`}
          </p>
          {showCookieSettings && (
            <button
              type="button"
              data-cc="show-preferencesModal"
              className="min-h-9 rounded hover:text-primary hover:underline no-script:hidden"
            >
              Cookie settings
            </button>
          )}
        </div>
      </div>
    </footer>
  );
}

function Links({ siteName }: { siteName: string }) {
  return (
    <div className="page-width flex flex-col gap-10 py-6 sm:py-8 lg:grid lg:grid-cols-column-aside lg:gap-12">
      <div className="flex max-w-sm flex-col gap-3">
        <p className="font-display text-lg font-bold text-foreground">{siteName}</p>
        <p>Helps boost engagement with real likes on your posts every {cooldownHours} hours.</p>
      </div>
      <nav
        aria-label="Footer"
        className="grid grid-cols-fit gap-x-12 gap-y-8 wrap-anywhere sm:grid-cols-3 lg:flex lg:justify-between lg:gap-x-6"
      >
        {footerGroups.map(({ title, links }) => (
          <div key={title} className="max-sm:first:row-span-2">
            <p id={`footer-${title.toLowerCase()}`} className="font-semibold text-foreground">
              {title}
            </p>
            <ul role="list" aria-labelledby={`footer-${title.toLowerCase()}`} className="mt-1">
              {links.map((link) => (
                <li key={link.href}>
                  <a
                    href={link.href}
                    className="inline-flex min-h-9 items-center rounded hover:text-primary hover:underline"
                  >
                    {link.label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}
