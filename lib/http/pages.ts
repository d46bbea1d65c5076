/** Condition under which a visitor may open a page. lib/flow/guard.ts checks the condition. */
export type Guard =
  | "open"
  /** The visitor has submitted a post link and solved the captcha on the home page. */
  | "link"
  /** The visitor has opened /verification, and step 2 has accepted the post of the link. */
  | "post"
  /** The visitor has opened /get-likes, and the delivery service has accepted the order. */
  | "accepted"
  /**
   * The URL has the id of the accepted post and `from=url-entry`. A URL without an id requires only a flow
   * cookie. For other URLs, the server redirects to "/".
   */
  | "preview"
  /** The path of the page returns 404. The server sends the page only as the response for another path. */
  | "internal";

export interface Page {
  path: string;
  label: string;
  guard: Guard;
  /** "content" pages are static HTML and work without JavaScript. "app" pages have interactive parts. */
  kind: "content" | "app";
}

export const pages = {
  home: { path: "/", label: "Home", guard: "open", kind: "app" },
  verification: { path: "/verification", label: "Verify", guard: "link", kind: "app" },
  privateAccountError: {
    path: "/private-account-error",
    label: "Private account",
    guard: "link",
    kind: "content",
  },
  getLikes: { path: "/get-likes", label: "Get Likes", guard: "post", kind: "app" },
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

export const linkFieldPath = `${pages.home.path}#post-link`;

/** With this fragment, the form of the page "Report an Issue" loads the reference of the visitor's receipt. */
export const issueFormHash = "#report";
export const issueFormPath = `${pages.reportIssue.path}${issueFormHash}`;

export type PageName = keyof typeof pages;

/** Pages that search engines may index: all pages with the guard "open". */
export const indexablePages: readonly Page[] = Object.values<Page>(pages).filter(
  ({ guard }) => guard === "open",
);

/** Maps short paths to page paths. The server sends the page at the short path, without a redirect. */
export const aliases: Readonly<Record<string, string>> = {
  "/terms": pages.terms.path,
  "/privacy": pages.privacy.path,
};

/** Paths of the API that accept other methods than GET and HEAD. */
export const writablePaths: readonly string[] = [
  ...["/api/404", "/api/contact/submit", "/api/cron/reconcile", "/api/feedback/submit"],
  ...["/api/instagram/like", "/api/issue/submit", "/api/recaptcha/verify", "/api/share"],
];

/** Paths of an earlier site, to which links remain elsewhere. The server sends 404. The 404 statistics omit these paths. */
export const legacyPaths: readonly string[] = [
  ...["/home", "/boost", "/boost/check", "/boost/error/private", "/boost/get-likes", "/boost/success"],
  ...["/free-instagram-likes", "/get-50-free-instagram-likes"],
  ...["/instagram-post-verification", "/instagram-likes-sent"],
];

export const steps = ["Enter URL", "Verify", "Get Likes", "Success"] as const;

/** Returns the canonical URL of a page. As in the metadata of Next.js, the URL of the home page has no slash. */
export function canonicalUrl(siteUrl: string, { path }: Page): string {
  return siteUrl + (path === pages.home.path ? "" : path);
}

/** Removes trailing slashes from a path. The root path stays "/". */
export function normalizePath(pathname: string): string {
  return pathname.replace(/\/+$/, "") || "/";
}

/** Returns the link to the preview page of a post, with the required `from` parameter. */
export function previewPath(postId: string): string {
  return `${pages.preview.path}/${postId}?from=url-entry`;
}

/** Returns the page for a path or alias. Returns undefined if the path has no page. */
export function findPage(pathname: string): Page | undefined {
  const path = normalizePath(pathname);
  if (/^\/preview\/[^/]+$/.test(path)) return pages.preview;
  const target = aliases[path] ?? path;
  return Object.values<Page>(pages).find((page) => page.path === target);
}
