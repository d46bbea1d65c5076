import { config } from "zod";

// Zod tries `new Function`, which violates the content security policy; `jitless` prevents the attempt.
// Import this file before all modules that create schemas.
config({ jitless: true });
