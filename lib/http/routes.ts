/**
 * Every path of the product in one table: pages, aliases, legacy paths, and what the flow guard asks of each.
 * Links, middleware, sitemap and tests read it, so a path is written once.
 */

/** What a page needs before it opens; lib/flow/guard.ts decides with it. */
export type Guard =
  /** Open to everyone. */
  | "open"
  /** A started flow and its link. */
  | "link"
  /** A started flow, the verified post, and /verification in the visited sequence. */
  | "verified"
  /** The same with /get-likes in the sequence, and an accepted order. */
  | "accepted"
  /** A started flow, `from=url-entry`, and the id of the verified post. Sent home otherwise. */
  | "preview"
  /** Let through; the page itself shows the notice when no flow was started. */
  | "self"
  /** Never served under its own address: only shown in place of another page. */
  | "internal";

export interface Page {
  path: string;
  /** The words of links to it. */
  label: string;
  guard: Guard;
  /**
   * "content": server-rendered text with native elements only, which works without script.
   * "app": has parts that live, and a script for them.
   */
  kind: "content" | "app";
}

export const pages = {
  home: { path: "/", label: "Home", guard: "open", kind: "app" },
  verification: { path: "/verification", label: "Verify", guard: "link", kind: "app" },
  privateAccountError: {
    path: "/private-account-error",
    label: "Private account",
    guard: "self",
    kind: "app",
  },
  getLikes: { path: "/get-likes", label: "Get Likes", guard: "verified", kind: "app" },
  success: { path: "/success", label: "Success", guard: "accepted", kind: "app" },
  preview: { path: "/preview", label: "Preview", guard: "preview", kind: "app" },
  startOver: { path: "/start-over", label: "Start over", guard: "internal", kind: "app" },
  failure: { path: "/failure", label: "Failure", guard: "internal", kind: "content" },
  howItWorks: { path: "/how-it-works", label: "How It Works", guard: "open", kind: "content" },
  testimonials: { path: "/testimonials", label: "Testimonials", guard: "open", kind: "content" },
  faq: { path: "/faq", label: "FAQ", guard: "open", kind: "content" },
  support: { path: "/support", label: "Support Center", guard: "open", kind: "content" },
  contact: { path: "/contact", label: "Contact Us", guard: "open", kind: "app" },
  feedback: { path: "/feedback", label: "Share Feedback", guard: "open", kind: "app" },
  reportIssue: { path: "/report-issue", label: "Report an Issue", guard: "open", kind: "app" },
  terms: { path: "/terms-of-service", label: "Terms of Service", guard: "open", kind: "content" },
  privacy: { path: "/privacy-policy", label: "Privacy Policy", guard: "open", kind: "content" },
  disclaimer: { path: "/disclaimer", label: "Disclaimer", guard: "open", kind: "content" },
} as const satisfies Record<string, Page>;

/** The field of step 1, where another link can be put in. */
export const linkFieldPath = `${pages.home.path}#post-link`;

export type PageName = keyof typeof pages;

/** The pages for search engines: open to everyone. */
export const indexablePages: readonly Page[] = Object.values<Page>(pages).filter(
  ({ guard }) => guard === "open",
);

/** Short addresses that answer 200 with the long page. */
export const aliases: Readonly<Record<string, string>> = {
  "/terms": pages.terms.path,
  "/privacy": pages.privacy.path,
};

/** Addresses of earlier sites: answered with the not-found page, and not reported. */
export const legacyPaths: readonly string[] = [
  "/home",
  "/free-instagram-likes",
  "/boost",
  "/boost/check",
  "/boost/error/private",
  "/boost/get-likes",
  "/boost/success",
  "/instagram-post-verification",
  "/get-50-free-instagram-likes",
  "/instagram-likes-sent",
];

/** The four steps, in order, as the step indicator names them. */
export const steps = ["Enter URL", "Verify", "Get Likes", "Success"] as const;

/** A path without its trailing slashes; the root stays "/". */
export function normalizePath(pathname: string): string {
  return pathname.replace(/\/+$/, "") || "/";
}

/** The preview address of a post, as the verified view links to it. */
export function previewPath(postId: string): string {
  return `${pages.preview.path}/${postId}?from=url-entry`;
}

/** The page that serves a pathname (aliases included), or undefined. The preview page serves `/preview/{id}` alone. */
export function findPage(pathname: string): Page | undefined {
  const path = normalizePath(pathname);
  if (/^\/preview\/[^/]+$/.test(path)) return pages.preview;
  const target = aliases[path] ?? path;
  return Object.values<Page>(pages).find((page) => page.path === target && page !== pages.preview);
}
