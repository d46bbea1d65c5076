import { islandPage } from "../island-page";

/** The start-over notice. middleware.ts serves this page instead of a step that is not allowed yet. */
const { metadata, Page } = islandPage("startOver", "flow/start-over", () => ({}));
export { metadata, Page as default };
