import { acceptCategory } from "vanilla-cookieconsent";

it("loads the ads, but no tag manager, after consent for only advertising", async () => {
  document.body.innerHTML = '<div data-ad-unit="1"></div>';
  const dataset = { gtmId: "GTM-TEST", adsClient: "ca-pub-1" };
  Object.defineProperty(document, "currentScript", { value: { dataset } });
  await import("./consent");
  acceptCategory("advertising");
  await new Promise((resolve) => setTimeout(resolve));
  expect([...document.scripts].map(({ src }) => src)).toEqual([expect.stringContaining("/adsbygoogle.js?")]);
});
