import { aliases, pages, type Page } from "@/lib/http/pages";

export interface SiteLink {
  href: string;
  label: string;
}

const link = ({ path, label }: Page): SiteLink => ({ href: path, label });
const withSlash = ({ path, label }: Page): SiteLink => ({ href: `${path}/`, label });

/** Returns a link to the alias of a page, for example "/terms". A page without an alias keeps its path. */
export function aliasLink({ path, label }: Page): SiteLink {
  const alias = Object.keys(aliases).find((key) => aliases[key] === path);
  return { href: alias ?? path, label };
}

export const mainLinks = [pages.home, pages.howItWorks, pages.testimonials, pages.faq].map(link);
export const supportLinks = [pages.support, pages.contact, pages.feedback, pages.reportIssue].map(link);
export const legalLinks = [pages.terms, pages.privacy, pages.disclaimer].map(aliasLink);

/** Columns of the footer. The owner of the product asked for slashes at the end of some links. */
export const footerGroups = [
  {
    title: "Product",
    links: [
      link(pages.home),
      withSlash(pages.howItWorks),
      withSlash(pages.faq),
      { href: `${pages.home.path}#why`, label: "Why this tool" },
    ],
  },
  { title: "Support", links: [pages.contact, pages.feedback, pages.reportIssue].map(withSlash) },
  { title: "Legal", links: [pages.terms, pages.privacy, pages.disclaimer].map(link) },
];
