/* The site script, which every page loads before other scripts. scripts/build-browser-scripts.mjs bundles this file. */
import { listenForGoBack } from "@/components/site/script/go-back";
import { watchIslands } from "@/components/site/script/islands";
import { watchMenus } from "@/components/site/script/menus";
import { reportNotFound } from "@/components/site/script/report-not-found";
import { enhanceTabs } from "@/components/site/script/tabs";
import { showToday } from "@/components/site/script/today";
import { removeServiceWorkers } from "@/lib/client/browser/interfaces";

watchIslands();
watchMenus();
enhanceTabs(document);
showToday(document, new Date());
listenForGoBack(document);
reportNotFound(document, location.pathname);
removeServiceWorkers();
