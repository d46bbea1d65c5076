import { createHash } from "node:crypto";
import {
  hintCompilation,
  inlineScriptHashes,
  pinPolicy,
  scriptsAfterStyles,
  startScripts,
  stripFramework,
} from "./finish-page";

const page =
  '<!DOCTYPE html><html><head><meta charSet="utf-8"/><link rel="stylesheet" href="/_next/a.css"/>' +
  '<link rel="preload" as="script" fetchPriority="low" href="/_next/a.js"/><link rel="preload" href="/_next/a.woff2" as="font"/>' +
  '<script src="/_next/b.js" async=""></script></head><body><h1>Words</h1>' +
  '<script type="application/ld+json">{"@type":"Organization"}</script><script defer="" src="/site/site-A.js"></script>' +
  '<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,"<p>$1</p>"])</script>' +
  "<script>self.__next_f.push([0])</script></body></html>";

const hashOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

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

test("the framework's scripts are asked for below the style sheet, each once, and nothing else moves", () => {
  const moved = scriptsAfterStyles(
    page.replace("</head>", '<script src="/_next/a.js" async=""></script></head>'),
  );
  expect(moved).toBe(
    page
      .replace(/<link rel="preload" as="script"[^>]*>/, "")
      .replace('<script src="/_next/b.js" async=""></script>', "")
      .replace(
        '"/_next/a.css"/>',
        '"/_next/a.css"/><script>for(const src of ["/_next/b.js","/_next/a.js"])' +
          'document.head.append(Object.assign(document.createElement("script"),{src,async:true}))</script>',
      ),
  );
  const plain = "<html><head></head><body>Words</body></html>";
  expect(scriptsAfterStyles(plain)).toBe(plain);
});

test("the scripts of a page's start are the framework's, without those for old browsers", () => {
  expect(startScripts(`${page}<script src="/_next/old.js" noModule=""></script>`)).toEqual(["b.js"]);
});

test("the hint to compile stands once at the top of a script", () => {
  const hinted = hintCompilation("run();");
  expect(hinted).toBe("//# allFunctionsCalledOnLoad\nrun();");
  expect(hintCompilation(hinted)).toBe(hinted);
});

test("the hashes are those of the inline scripts, each once; data and files have none", () => {
  expect(inlineScriptHashes(page)).toEqual([
    hashOf("(self.__next_f=self.__next_f||[]).push([0])"),
    hashOf('self.__next_f.push([1,"<p>$1</p>"])'),
    hashOf("self.__next_f.push([0])"),
  ]);
  expect(inlineScriptHashes(page + "<script>self.__next_f.push([0])</script>")).toHaveLength(3);
});

test("a policy stands before all that it governs, and takes the place of an earlier one", () => {
  const once = pinPolicy(page, "script-src 'self' '$1'");
  const tag = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' '$1'"/>`;
  expect(once).toContain(`<meta charSet="utf-8"/>${tag}<link`);
  expect(pinPolicy(once, "script-src 'none'").match(/http-equiv/g)).toHaveLength(1);
  expect(() => pinPolicy("<html></html>", "default-src 'none'")).toThrow("no place");
});
