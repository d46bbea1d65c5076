import { pinPolicy, removeNextScripts } from "./post-process-pages";

const page =
  '<!DOCTYPE html><html><head><meta charSet="utf-8"/><link rel="stylesheet" href="/_next/a.css"/>' +
  '<link rel="preconnect" href="/" crossorigin=""/><link rel="preload" as="script" fetchPriority="low" href="/_next/a.js"/><link rel="preload" href="/_next/a.woff2" as="font"/>' +
  '<script src="/_next/b.js" async=""></script></head><body><h1>Words</h1>' +
  '<script type="application/ld+json">{"@type":"Organization"}</script><footer></footer><script defer="" src="/site/site-A.js"></script>' +
  '<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,"<p>$1</p>"])</script>' +
  "<script>self.__next_f.push([0])</script></body></html>";

test("rejects a page that needs a script to show its content", () => {
  const streamed = page.replace("</footer>", '</footer><div hidden="" id="S:0">Words</div>');
  expect(() => removeNextScripts(streamed)).toThrow("streamed");
});

test("adds the policy before all links and scripts, and replaces an earlier policy", () => {
  const once = pinPolicy(page, "script-src 'self' '$1'");
  const tag = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' '$1'"/>`;
  expect(once).toContain(`<meta charSet="utf-8"/>${tag}<link`);
  expect(pinPolicy(once, "script-src 'none'").match(/http-equiv/g)).toHaveLength(1);
  expect(() => pinPolicy("<html></html>", "default-src 'none'")).toThrow("no <meta charset>");
});
