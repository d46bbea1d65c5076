import type { Page } from "@playwright/test";

/** Returns texts that are cut off, or wider than their control, except texts only for screen readers. */
export function lostText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lost: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      const text = node.textContent?.trim();
      if (!parent || !text || !parent.checkVisibility({ visibilityProperty: true })) continue;
      // The consent library hides the labels of its checkboxes with the class toggle__label.
      if (parent.closest("script, style, noscript, option, svg, .toggle__label")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()];
      let frame: HTMLElement | null = parent;
      for (; frame && frame !== document.body; frame = frame.parentElement) {
        const { overflowX, overflowY, display } = getComputedStyle(frame);
        const outer = frame.getBoundingClientRect();
        // A text only for screen readers is in a box of one pixel.
        if (outer.width <= 1 || outer.height <= 1) break;
        const isControl = frame.matches("button, a, summary, label") && display !== "inline";
        const cutsX = /hidden|clip/.test(overflowX) || isControl;
        const cutsY = /hidden|clip/.test(overflowY) || isControl;
        const outside = boxes.some(
          (box) =>
            (cutsX && (box.left < outer.left - 1 || box.right > outer.right + 1)) ||
            (cutsY && (box.top < outer.top - 1 || box.bottom > outer.bottom + 1)),
        );
        if (outside) lost.push(`"${text.slice(0, 60)}" in ${frame.outerHTML.slice(0, 120)}`);
        // Visitors can scroll to the rest of the text. Popovers are not laid out in their parents.
        if (outside || /auto|scroll/.test(overflowX + overflowY) || frame.matches(":popover-open")) break;
      }
    }
    return lost;
  });
}

/** Sets the text spacing of WCAG 2.2, 1.4.12. Returns a function that removes it. */
export async function spaceText(page: Page): Promise<() => Promise<void>> {
  // The Content-Security-Policy forbids style elements.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }
    `);
    document.adoptedStyleSheets = [sheet];
  });
  return () => page.evaluate(() => void (document.adoptedStyleSheets = []));
}
