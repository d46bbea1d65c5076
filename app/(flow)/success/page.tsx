import { islandPage } from "../island-page";
import { getReceiptTexts } from "../receipt-texts";

/** Step 4, which loads the receipt of the order that the server accepted. */
const { metadata, Page } = islandPage("success", "flow/success", () => ({ texts: getReceiptTexts() }));
export { metadata, Page as default };
