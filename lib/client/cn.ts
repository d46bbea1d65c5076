/**
 * Joins class names and skips falsy values. Does not remove conflicting classes, because that code would add
 * 8 kB to each page. Default classes that callers may override have the variant `preset:`.
 */
export { clsx as cn } from "clsx";
