/**
 * Joins class names, and skips falsy values. Keeps conflicting classes: tailwind-merge, which removes them, adds 8.3 kB to each
 * page with an island (docs/decisions/0012-islands.md).
 */
export { clsx as cn } from "clsx";
