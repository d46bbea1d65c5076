import { config } from "zod";

// The content security policy forbids `new Function`. With `jitless`, Zod does not call `new Function`.
// Import this file before all modules that create schemas.
config({ jitless: true });
