import { parseBuildSettings } from "@/lib/config/build-settings";
import { dataPolicy } from "./content-security-policy";
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

it.each([
  ["/api/health", "Content-Security-Policy", dataPolicy],
  ["/site/home.js", "Cache-Control", "public, max-age=31536000, immutable"],
  ["/share-images/home.png", "Cross-Origin-Resource-Policy", "cross-origin"],
  ["/faq", "Cross-Origin-Resource-Policy", "same-origin"],
])("sends with %s the header %s: %s", (path, name, value) => {
  expect(headersForPath(path, headerRules(parseBuildSettings({})))[name]).toBe(value);
});
