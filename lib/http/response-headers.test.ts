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
