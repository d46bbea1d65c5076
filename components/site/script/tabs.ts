import { matchesMedia, replaceEntry } from "@/lib/client/browser/interfaces";

interface Tab {
  link: HTMLAnchorElement;
  panel: HTMLElement;
}

/** Turns the links of the page's `data-tabs` list into ARIA tabs. Changes only attributes, so React can still hydrate it. */
export function enhanceTabs(): void {
  const list = document.querySelector<HTMLElement>("[data-tabs]");
  if (!list) return;
  const tabs = Array.from(list.querySelectorAll("a")).flatMap((link): Tab[] => {
    const panel = document.getElementById(link.hash.slice(1));
    return panel ? [{ link, panel }] : [];
  });

  list.setAttribute("role", "tablist");
  // The tabs become vertical at the width of the class prefix `lg:`.
  const orient = (wide: boolean) => list.setAttribute("aria-orientation", wide ? "vertical" : "horizontal");
  orient(matchesMedia("(width >= 64rem)", orient));
  for (const item of list.children) item.setAttribute("role", "presentation");
  for (const { link, panel } of tabs) {
    link.id = `${panel.id}-tab`;
    link.setAttribute("role", "tab");
    link.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", link.id);
  }

  function select(selected: Tab | undefined): void {
    for (const tab of tabs) {
      const isSelected = tab === selected;
      tab.link.setAttribute("aria-selected", String(isSelected));
      tab.link.tabIndex = isSelected ? 0 : -1;
      // With "until-found", browsers find a text in the panel. Older browsers take it for true.
      (tab.panel as { hidden: boolean | "until-found" }).hidden = !isSelected && "until-found";
      // Such a panel has no visible content, but screen readers would still find it as an empty tab panel.
      tab.panel.ariaHidden = isSelected ? null : "true";
    }
  }

  /** Selects the tab whose panel contains the target of the URL fragment. Returns false without such a panel. */
  function selectByHash(): boolean {
    // Firefox hides the fragment of a link to a text.
    const target = document.getElementById(location.hash.slice(1)) ?? document.querySelector(":target");
    const tab = tabs.find(({ panel }) => target !== null && panel.contains(target));
    if (!tab || !target) return false;
    select(tab);
    const details = target.closest("details");
    if (details) details.open = true;
    // The panel was hidden until now, so the browser has not scrolled to the target.
    target.scrollIntoView();
    return true;
  }

  for (const tab of tabs) {
    tab.link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      select(tab);
      replaceEntry(tab.link.hash);
    });
    tab.panel.addEventListener("beforematch", () => select(tab));
  }
  list.addEventListener("keydown", (event) => {
    const current = tabs.findIndex(({ link }) => link === event.target);
    const vertical = list.getAttribute("aria-orientation") === "vertical";
    const next = tabs[nextIndex(event.key, current, tabs.length, vertical)];
    if (current < 0 || !next) return;
    event.preventDefault();
    next.link.focus();
    next.link.click();
  });
  window.addEventListener("hashchange", selectByHash);
  if (!selectByHash()) select(tabs[0]);
}

/** Returns the index of the tab that a key selects. Returns -1 if the key does not select a tab. */
function nextIndex(key: string, current: number, count: number, vertical: boolean): number {
  switch (key) {
    case vertical && "ArrowDown":
    case "ArrowRight":
      return (current + 1) % count;
    case vertical && "ArrowUp":
    case "ArrowLeft":
      return (current - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
