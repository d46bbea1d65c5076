import { parseBuildSettings } from "@/lib/config/build-settings";
import { headerRules, headersForPath } from "./response-headers";

const live = {
  LIKE_DELIVERY: "webhook",
  POST_LOOKUP: "http",
  OPERATOR_NAME: "Likes Example Ltd",
  OPERATOR_ADDRESS: "1 Example Street, 10115 Berlin, Germany",
};

it.each([
  ["a demo at a public address", { SITE_URL: "https://likes.example" }, "noindex"],
  ["a demo on this machine", {}, undefined],
  ["a demo on this machine with a name", { SITE_URL: "https://likes.localhost" }, undefined],
  ["a local trial", { ...live, DEPLOYMENT: "trial" }, undefined],
  ["a live site", { ...live, SITE_URL: "https://likes.example" }, undefined],
  ["a site with sample posts", { ...live, POST_LOOKUP: "sandbox", SITE_URL: "https://a.example" }, "noindex"],
  ["a preview", { DEPLOYMENT: "preview", SITE_URL: "https://likes.localhost" }, "noindex"],
])("tells search engines what to do with the pages of %s", (_site, settings, robots) => {
  const rules = headerRules(parseBuildSettings(settings));
  for (const path of ["/", "/faq", "/get-likes"])
    expect(headersForPath(path, rules)["X-Robots-Tag"]).toBe(robots);
});

const common = {
  "Content-Security-Policy": "frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy":
    "accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const page = {
  "Cache-Control": "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
  "Speculation-Rules": '"/speculation-rules.json"',
};

it.each([
  ["/get-likes", {}],
  ["/", page],
  ["/faq", page],
  ["/terms", page],
  ["/api/health", { "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'" }],
  ["/site/home.js", { "Cache-Control": "public, max-age=31536000, immutable" }],
  ["/share-images/home.png", { "Cross-Origin-Resource-Policy": "cross-origin" }],
])("sends with %s the common headers and %j, on an https site also HSTS", (path, own) => {
  const headersOn = (site: object) =>
    headersForPath(path, headerRules(parseBuildSettings({ ...live, ...site })));
  expect(headersOn({})).toEqual({ ...common, ...own });
  const secure = { ...common, "Strict-Transport-Security": "max-age=63072000" };
  expect(headersOn({ SITE_URL: "https://likes.example" })).toEqual({ ...secure, ...own });
});
