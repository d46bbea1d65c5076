import { footerGroups } from "@/components/site/links";
import { limits } from "@/lib/limits";

const cooldownHours = limits.cooldownSeconds / 3_600;

export interface FooterProps {
  siteName: string;
  /** Offers to change the choice about cookies: there is one to change. */
  cookieSettings: boolean;
}

export function Footer({ siteName, cookieSettings }: FooterProps) {
  return (
    <footer className="mt-16 border-t bg-muted text-sm text-muted-foreground">
      <div className="page-width flex flex-col gap-10 py-10 md:flex-row md:justify-between">
        <div className="flex max-w-sm flex-col gap-3">
          <p className="font-display text-lg font-bold text-foreground">{siteName}</p>
          <p>Helps boost engagement with real likes on your posts every {cooldownHours} hours.</p>
          <p>Not affiliated with Instagram.</p>
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-x-10 gap-y-8 sm:grid-cols-3">
          {footerGroups.map(({ title, links }) => (
            <div key={title}>
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
      <div className="page-width pb-8">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t pt-6">
          <p>© 2025 {siteName}</p>
          {cookieSettings && (
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
