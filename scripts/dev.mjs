/* npm run dev: as quickstart, without a build and with hot reload. */
import { serve } from "./lib/serve.mjs";

await serve({ dev: true });
