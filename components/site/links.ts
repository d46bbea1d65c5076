import { aliases, pages } from "@/lib/http/routes";

/** What a link needs; `pages` entries have more. */
interface Linkable {
  path: string;
  label: string;
}

export interface SiteLink {
  href: string;
  label: string;
}

const link = ({ path, label }: Linkable): SiteLink => ({ href: path, label });
const withSlash = ({ path, label }: Linkable): SiteLink => ({ href: `${path}/`, label });

/** The page under its short address, where it has one. */
export function short({ path, label }: Linkable): SiteLink {
  const alias = Object.keys(aliases).find((key) => aliases[key] === path);
  return { href: alias ?? path, label };
}

export const mainLinks = [pages.home, pages.howItWorks, pages.testimonials, pages.faq].map(link);
export const supportLinks = [pages.support, pages.contact, pages.feedback, pages.reportIssue].map(link);
export const legalLinks = [pages.terms, pages.privacy, pages.disclaimer].map(short);

/** A section of the home page, wherever the link stands: home first, then the section. */
function homeSection(id: string, label: string): SiteLink {
  return { href: `${pages.home.path}#${id}`, label };
}

/** The footer's columns. Its addresses are fixed: some end in a slash, and both forms are served. */
export const footerGroups = [
  {
    title: "Product",
    links: [
      link(pages.home),
      withSlash(pages.howItWorks),
      withSlash(pages.faq),
      homeSection("why", "Why this tool"),
    ],
  },
  { title: "Support", links: [pages.contact, pages.feedback, pages.reportIssue].map(withSlash) },
  { title: "Legal", links: [pages.terms, pages.privacy, pages.disclaimer].map(link) },
];
