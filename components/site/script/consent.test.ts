import { acceptCategory } from "vanilla-cookieconsent";
import { consentCommand, dataLayer } from "./tags";

it("loads the ads, but no tag manager, after consent for only advertising", async () => {
  document.body.innerHTML = '<div data-ad-unit="1"></div>';
  const dataset = { gtmId: "GTM-TEST", adsClient: "ca-pub-1" };
  Object.defineProperty(document, "currentScript", { value: { dataset } });
  await import("./consent");
  acceptCategory("advertising");
  await new Promise((resolve) => setTimeout(resolve));
  expect([...document.scripts].map(({ src }) => src)).toEqual([expect.stringContaining("/adsbygoogle.js?")]);

  // A page reloads when a visitor withdraws consent, which jsdom does not support.
  const reload = jest.spyOn(console, "error").mockImplementation();
  acceptCategory([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(reload).toHaveBeenCalledTimes(1);
  for (const name of ["_ga", "_ga_ABC", "_gid", "__gads", "other"]) document.cookie = `${name}=1`;
  acceptCategory("all");
  acceptCategory([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(reload).toHaveBeenCalledTimes(2);
  expect(document.cookie.replace(/=[^;]*/g, "")).toBe("consent; other");
});

it("tells tags an earlier choice before the page view", async () => {
  jest.resetModules();
  // The library runs once a page.
  Object.assign(window, { dataLayer: [], _ccRun: false });
  await import("./consent");
  await new Promise((resolve) => setTimeout(resolve));
  const names = dataLayer().map((entry) => ("event" in entry ? entry.event : Object.values(entry)[1]));
  expect(names).toEqual(["default", "update", "page_view"]);
});

it.each([
  [true, false, ["analytics_storage"]],
  [false, true, ["ad_storage", "ad_user_data", "ad_personalization"]],
])("with statistics %s and advertising %s, Google may use %j", (statistics, advertising, expected) => {
  const [, , signals] = consentCommand("update", statistics, advertising) as unknown as [0, 0, object];
  const granted = Object.entries(signals).filter(([, state]) => state === "granted");
  expect(granted.map(([name]) => name)).toEqual(expected);
});
