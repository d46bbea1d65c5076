import type { MetadataRoute } from "next";
import { appIcons, brandColors } from "@/lib/brand/brand";
import { pageHeads } from "@/lib/content/page-heads";
import { pages } from "@/lib/http/pages";
import { shareTarget } from "@/lib/flow/shared-text";
import { getSiteSettings } from "@/lib/server/config/env";

/** Returns the web app manifest. The installed app starts with the home page. */
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
    // The method is POST, because GET would put the shared link into the URL and into proxy logs.
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
