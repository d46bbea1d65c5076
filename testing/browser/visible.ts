import type { Locator, Page } from "@playwright/test";

/**
 * Reads an element, also in pages without script. Returns the visible `text` on one line, without text only for screen
 * readers, the visible `links` as [first line of their text, href], and the `hidden` texts, except those in closed
 * disclosures and menus.
 */
export function readVisible(root: Locator) {
  return root.evaluate((element) => {
    const text: string[] = [];
    const hidden: string[] = [];
    let parent: Element | null = null;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const content = walker.currentNode.textContent ?? "";
      const element = walker.currentNode.parentElement;
      // In a page with script, the content of a noscript element is one text node.
      if (!element || element.closest("script, style, template, option") || element.localName === "noscript")
        continue;
      if (!isRendered(element)) {
        if (content.trim() && !element.closest("details:not([open]), [popover]")) hidden.push(content.trim());
      } else if (!isClipped(element)) {
        // The text of one element is often in several nodes.
        text.push(element === parent ? content : ` ${content}`);
        parent = element;
      }
    }
    const links = [...element.querySelectorAll("a")]
      .filter((link) => isRendered(link) && !isClipped(link))
      .map((link): [string, string] => [
        link.innerText.trim().split("\n")[0] ?? "",
        link.getAttribute("href") ?? "",
      ]);
    return { text: text.join("").replaceAll(/\s+/g, " "), links, hidden };

    function isRendered(element: Element): boolean {
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    }

    /** Text only for screen readers is in a box of one pixel. */
    function isClipped(element: Element | null): boolean {
      if (!element) return false;
      const { width, height } = element.getBoundingClientRect();
      const small = width <= 1 || height <= 1;
      return (small && getComputedStyle(element).overflow !== "visible") || isClipped(element.parentElement);
    }
  });
}

/** Opens all disclosures of the page. */
export function openDisclosures(page: Page): Promise<void> {
  return page.evaluate(() => {
    const disclosures = document.querySelectorAll("details");
    // Only one disclosure of a name can be open.
    for (const each of disclosures) each.removeAttribute("name");
    for (const each of disclosures) each.open = true;
  });
}
