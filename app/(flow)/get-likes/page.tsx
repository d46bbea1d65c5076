import { getSiteSettings } from "@/lib/server/config/env";
import { islandPage } from "../island-page";
import { getReceiptTexts } from "../receipt-texts";

/** Step 3, where the visitor requests likes for the post. */
const { metadata, Page } = islandPage("getLikes", "flow/get-likes", () => ({
  texts: getReceiptTexts(),
  adUnit: getSiteSettings().ads?.headerUnit,
}));
export { metadata, Page as default };
