import { config } from "zod";

/*
 * Zod compiles schemas with `new Function` where it may, and tries whether it may: under a content security policy
 * that attempt is reported as a violation. To be imported before any module that makes a schema.
 */
config({ jitless: true });
