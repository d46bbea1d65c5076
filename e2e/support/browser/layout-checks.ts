import type { Page } from "@playwright/test";

/** WCAG 2.2, 2.5.8, in CSS pixels. */
const minTargetPx = 24;

/**
 * What can be pressed and is smaller than 24 by 24 pixels, as readable lines. Links within running text may be; a
 * check box counts with the label around it.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const pressable = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="tab"]';
    return [...document.querySelectorAll<HTMLElement>(pressable)]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => getComputedStyle(element).display !== "inline")
      .map((element) => ({ element, box: (element.closest("label") ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width < min || box.height < min)
      .map(({ element, box }) => `${box.width} x ${box.height}: ${element.outerHTML.slice(0, 120)}`);
  }, minTargetPx);
}

/**
 * Text that is cut off, or stands out of the control that it belongs to, as readable lines. Text for screen readers
 * only, which is cut off on purpose, is left out.
 */
export function lostText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lost: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const home = node.parentElement;
      const words = node.textContent?.trim();
      if (!home || !words || !home.checkVisibility({ visibilityProperty: true })) continue;
      if (home.closest("script, style, noscript, option, svg")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()];
      for (
        let frame: HTMLElement | null = home;
        frame && frame !== document.body;
        frame = frame.parentElement
      ) {
        const { overflowX, overflowY, display } = getComputedStyle(frame);
        const outer = frame.getBoundingClientRect();
        if (outer.width <= 1 || outer.height <= 1) break;
        const holds = frame.matches("button, a, summary, label") && display !== "inline";
        const cutsX = /hidden|clip/.test(overflowX) || holds;
        const cutsY = /hidden|clip/.test(overflowY) || holds;
        const outside = boxes.some(
          (box) =>
            (cutsX && (box.left < outer.left - 1 || box.right > outer.right + 1)) ||
            (cutsY && (box.top < outer.top - 1 || box.bottom > outer.bottom + 1)),
        );
        if (outside) lost.push(`"${words.slice(0, 60)}" in ${frame.outerHTML.slice(0, 120)}`);
        // What scrolls shows the rest; what is laid out against the window has nothing to do with the frames around it.
        if (outside || /auto|scroll/.test(overflowX + overflowY) || frame.matches(":popover-open")) break;
      }
    }
    return lost;
  });
}

/** Spaces text as WCAG 2.2, 1.4.12 asks a page to bear. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }
    `);
    document.adoptedStyleSheets = [sheet];
  });
}
