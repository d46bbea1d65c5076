import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/*
 * The captcha's worker must be a file of our own origin: the content security policy allows no other. It is copied
 * from the package before each start and build, so it always has the version of the widget.
 */

const source = fileURLToPath(import.meta.resolve("altcha/workers/pbkdf2"));
const folder = fileURLToPath(new URL("../public/altcha/", import.meta.url));

await mkdir(folder, { recursive: true });
await copyFile(source, `${folder}pbkdf2.worker.js`);
