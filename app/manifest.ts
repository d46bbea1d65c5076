import type { MetadataRoute } from "next";
import { appIcons, brandColors } from "@/lib/brand/brand";
import { pageHeads } from "@/lib/content/page-heads";
import { pages } from "@/lib/http/routes";
import { shareTarget } from "@/lib/flow/shared-text";
import { getSiteSettings } from "@/lib/server/config/env";

/** Makes the site installable as an app. It starts at home, because later steps need the ones before them. */
export default function manifest(): MetadataRoute.Manifest {
  const { siteName } = getSiteSettings();
  return {
    id: pages.home.path,
    name: siteName,
    short_name: siteName,
    description: pageHeads.home.description,
    lang: "en",
    start_url: pages.home.path,
    scope: pages.home.path,
    display: "standalone",
    theme_color: brandColors.light.card,
    background_color: brandColors.light.background,
    // By POST: by GET the link would stand in the address, and in the logs of every proxy on the way.
    share_target: {
      action: shareTarget.path,
      method: "POST",
      enctype: "application/x-www-form-urlencoded",
      params: shareTarget.params,
    },
    icons: appIcons.map(({ file, side, purpose }) => ({
      src: `/icons/${file}`,
      sizes: `${side}x${side}`,
      type: "image/png",
      purpose,
    })),
  };
}
