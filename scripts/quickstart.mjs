/* npm run quickstart: installs, finds or starts a Redis, builds and serves the site in demo mode. */
import { serve } from "./lib/serve.mjs";

await serve({ dev: false });
