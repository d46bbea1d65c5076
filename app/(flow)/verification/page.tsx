import { islandPage } from "../island-page";

/** Step 2, where the server checks the visitor's post. */
const { metadata, Page } = islandPage("verification", "flow/verification", () => ({}));
export { metadata, Page as default };
