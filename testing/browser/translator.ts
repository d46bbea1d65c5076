/*
 * A fake of the translator in browsers. Google Translate replaces each text node with <font><font>text</font></font>.
 * React keeps its reference to the removed text node: a later update changes only that node, and insertBefore or
 * removeChild with it throws (https://github.com/facebook/react/issues/11538).
 */

declare global {
  interface Window {
    /** Texts that React has written into removed text nodes. The page still shows the old texts. */
    lostTexts: string[];
  }
}

/** Runs in the page. Replaces all texts, also later ones, and records lost updates. */
export function translatePage(): void {
  window.lostTexts = [];
  /** Removed text nodes, with their text at that time. */
  const removed = new WeakMap<Node, string | null>();
  const isTranslated = (node: Node) =>
    node.parentElement?.closest("font, title, script, style, textarea, [translate=no]");
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "characterData" && removed.has(target) && removed.get(target) !== target.textContent)
        window.lostTexts.push(target.textContent ?? "");
      for (const node of addedNodes) translate(node);
    }
  });

  function translate(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.isConnected || !text.textContent?.trim() || isTranslated(text)) continue;
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      // The text differs from the original, but tests still find the original in it.
      inner.textContent = `${text.textContent}\u00b7`;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
      removed.set(text, text.textContent);
      observer.observe(text, { characterData: true });
    }
  }

  observer.observe(document, { childList: true, subtree: true, characterData: true });
  translate(document);
}
