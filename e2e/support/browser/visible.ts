import type { Locator } from "@playwright/test";

export interface Visible {
  /** What a sighted visitor reads, on one line: neither hidden text nor text for screen readers only. */
  text: string;
  /** Links as [first line of their words, href]. */
  links: [words: string, href: string][];
  /** Text that is there for nobody, except what a closed disclosure or menu holds back. */
  hidden: string[];
}

/** What can be seen within an element. Works without script in the page, too. */
export function readVisible(root: Locator): Promise<Visible> {
  return root.evaluate((element) => {
    const text: string[] = [];
    const hidden: string[] = [];
    let parent: Element | null = null;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const words = walker.currentNode.textContent ?? "";
      const home = walker.currentNode.parentElement;
      // With script, what a noscript element holds is one text; without, it holds elements.
      if (!home || home.closest("script, style, template, option") || home.localName === "noscript") continue;
      if (!isDrawn(home)) {
        if (words.trim() && !isHeldBack(home)) hidden.push(words.trim());
      } else if (!isCutOff(home)) {
        // Text of one element is often in several nodes.
        text.push(home === parent ? words : ` ${words}`);
        parent = home;
      }
    }
    const links = [...element.querySelectorAll("a")]
      .filter((link) => isDrawn(link) && !isCutOff(link))
      .map((link): [string, string] => [
        link.innerText.trim().split("\n")[0] ?? "",
        link.getAttribute("href") ?? "",
      ]);
    return { text: text.join("").replaceAll(/\s+/g, " "), links, hidden };

    function isDrawn(home: Element): boolean {
      return home.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    }

    /** As text for screen readers is: drawn in a box of one pixel. */
    function isCutOff(home: Element | null): boolean {
      if (!home) return false;
      const { width, height } = home.getBoundingClientRect();
      const small = width <= 1 || height <= 1;
      return (small && getComputedStyle(home).overflow !== "visible") || isCutOff(home.parentElement);
    }

    function isHeldBack(home: Element): boolean {
      return home.closest("details:not([open]), [popover]") !== null;
    }
  });
}
