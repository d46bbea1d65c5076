/**
 * Joins class names and skips falsy values. Keeps conflicting classes, because code that removes them would
 * add 8 kB to each page. Default classes that callers may override have the variant `preset:`.
 */
export { clsx as cn } from "clsx";
