/*
 * The site script: what content pages need besides native elements, for pages that carry no script of the framework.
 * scripts/build-site-script.mjs bundles it; every page loads it.
 */
import { listenForGoBack } from "@/components/site/script/go-back";
import { reportNotFound } from "@/components/site/script/report-not-found";
import { enhanceTabs } from "@/components/site/script/tabs";
import { showToday } from "@/components/site/script/today";

enhanceTabs(document);
showToday(document, new Date());
listenForGoBack(document);
reportNotFound(document, location.pathname);
