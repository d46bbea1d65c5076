import { islandPage } from "../island-page";
import { getReceiptTexts } from "../receipt-texts";

/** The preview of the visitor's post. middleware.ts serves this page at `/preview/{postId}`. */
const { metadata, Page } = islandPage("preview", "flow/preview", () => ({ texts: getReceiptTexts() }));
export { metadata, Page as default };
