import { config } from "zod";

// Zod tries `new Function`, which the content security policy forbids. With `jitless`, Zod does not try it.
// Import this file before all modules that create schemas.
config({ jitless: true });
