/**
 * Turns lists of links to sections of the page, marked with `data-tabs`, into tabs as the WAI-ARIA Authoring Practices
 * describe them. Only attributes change, so that it does not matter whether the page hydrates.
 */
export function enhanceTabs(root: ParentNode): void {
  for (const list of root.querySelectorAll<HTMLElement>("[data-tabs]")) enhance(list);
}

interface Tab {
  link: HTMLAnchorElement;
  panel: HTMLElement;
}

function enhance(list: HTMLElement): void {
  const tabs = findTabs(list);
  const [first] = tabs;
  if (!first) return;

  list.setAttribute("role", "tablist");
  orient(list);
  for (const item of list.children) item.setAttribute("role", "presentation");
  for (const { link, panel } of tabs) {
    link.id = `${panel.id}-tab`;
    link.setAttribute("role", "tab");
    link.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", link.id);
  }

  function select(selected: Tab): void {
    for (const tab of tabs) {
      const isSelected = tab === selected;
      tab.link.setAttribute("aria-selected", String(isSelected));
      tab.link.tabIndex = isSelected ? 0 : -1;
      tab.panel.hidden = !isSelected;
    }
  }

  /** Shows the tab that the address names, or that holds the place it names. True when there is one. */
  function selectByAddress(): boolean {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const named = tabs.find(({ panel }) => place !== null && panel.contains(place));
    if (!named || !place) return false;
    select(named);
    const answer = place.closest("details");
    if (answer) answer.open = true;
    // The browser scrolled while the place was still hidden.
    place.scrollIntoView();
    return true;
  }

  for (const tab of tabs) {
    tab.link.addEventListener("click", (event) => {
      event.preventDefault();
      select(tab);
      history.replaceState(history.state, "", tab.link.hash);
    });
  }
  list.addEventListener("keydown", (event) => {
    const current = tabs.findIndex(({ link }) => link === event.target);
    const next = tabs[nextIndex(event.key, current, tabs.length, isVertical(list))];
    if (current < 0 || !next) return;
    event.preventDefault();
    next.link.focus();
    next.link.click();
  });
  window.addEventListener("hashchange", selectByAddress);
  if (!selectByAddress()) select(first);
}

function findTabs(list: HTMLElement): Tab[] {
  return Array.from(list.querySelectorAll("a")).flatMap((link) => {
    const panel = document.getElementById(link.hash.slice(1));
    return panel ? [{ link, panel }] : [];
  });
}

/** Says which way the tabs are laid out; where components/content/section-tabs.tsx puts one under the other. */
function orient(list: HTMLElement): void {
  const wide = matchMedia("(width >= 64rem)");
  const apply = () => list.setAttribute("aria-orientation", wide.matches ? "vertical" : "horizontal");
  wide.addEventListener("change", apply);
  apply();
}

function isVertical(list: HTMLElement): boolean {
  return list.getAttribute("aria-orientation") === "vertical";
}

/** Where a key leads to from a tab; -1 for keys that lead nowhere. Up and down scroll the page where tabs lie in a row. */
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
