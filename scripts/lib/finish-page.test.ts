import {
  addModules,
  hasInlineScript,
  hintCompilation,
  islandsOf,
  nameBuild,
  pinPolicy,
  startScripts,
  stripFramework,
} from "./finish-page";

const page =
  '<!DOCTYPE html><html><head><meta charSet="utf-8"/><link rel="stylesheet" href="/_next/a.css"/>' +
  '<link rel="preconnect" href="/" crossorigin=""/><link rel="preload" as="script" fetchPriority="low" href="/_next/a.js"/><link rel="preload" href="/_next/a.woff2" as="font"/>' +
  '<script src="/_next/b.js" async=""></script></head><body><h1>Words</h1>' +
  '<script type="application/ld+json">{"@type":"Organization"}</script><script defer="" src="/site/site-A.js"></script>' +
  '<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,"<p>$1</p>"])</script>' +
  "<script>self.__next_f.push([0])</script></body></html>";

test("a stripped page keeps its words, styles, fonts, structured data and the site's script, and nothing else", () => {
  expect(stripFramework(page)).toBe(
    '<!DOCTYPE html><html><head><meta charSet="utf-8"/><link rel="stylesheet" href="/_next/a.css"/>' +
      '<link rel="preload" href="/_next/a.woff2" as="font"/></head><body><h1>Words</h1>' +
      '<script type="application/ld+json">{"@type":"Organization"}</script>' +
      '<script defer="" src="/site/site-A.js"></script></body></html>',
  );
});

test("a page whose content is put in place by script is not stripped", () => {
  expect(() => stripFramework('<template id="B:0"></template><div hidden="" id="S:0">Words</div>')).toThrow(
    "streamed",
  );
});

test("the scripts of islands are asked for from the page's head, and nothing else moves", () => {
  expect(addModules(page, ["/_next/home.js", "/_next/part.js"])).toBe(
    page.replace(
      "</head>",
      '<script type="module" src="/_next/home.js"></script><script type="module" src="/_next/part.js"></script></head>',
    ),
  );
  expect(() => addModules("<html></html>", ["/a.js"])).toThrow("no </head>");
});

test("islands are found by their names", () => {
  expect(islandsOf(page)).toEqual([]);
  expect(islandsOf(`${page}<div data-island="home/tool" data-props="{}"></div>`)).toEqual(["home/tool"]);
});

test("a page names its build, and that alone when it is finished once more", () => {
  const named = nameBuild(page, "A1");
  expect(named).toBe(page.replace("<html>", '<html data-build="A1">'));
  expect(nameBuild(named, "B$1")).toBe(page.replace("<html>", () => '<html data-build="B$1">'));
});

test("the scripts of a page's start are the framework's, without those for old browsers", () => {
  expect(startScripts(`${page}<script src="/_next/old.js" noModule=""></script>`)).toEqual(["b.js"]);
});

test("the hint to compile stands once at the top of a script", () => {
  const hinted = hintCompilation("run();");
  expect(hinted).toBe("//# allFunctionsCalledOnLoad\nrun();");
  expect(hintCompilation(hinted)).toBe(hinted);
});

test("inline scripts are found; data and files are none", () => {
  expect(hasInlineScript(page)).toBe(true);
  expect(hasInlineScript(stripFramework(page))).toBe(false);
});

test("a policy stands before all that it governs, and takes the place of an earlier one", () => {
  const once = pinPolicy(page, "script-src 'self' '$1'");
  const tag = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' '$1'"/>`;
  expect(once).toContain(`<meta charSet="utf-8"/>${tag}<link`);
  expect(pinPolicy(once, "script-src 'none'").match(/http-equiv/g)).toHaveLength(1);
  expect(() => pinPolicy("<html></html>", "default-src 'none'")).toThrow("no <meta charset>");
});
