/**
 * Joins class names and leaves out what is falsy. It does not decide between two classes that set the same thing (that
 * takes a table of all of Tailwind, 8 kB for every page): what a caller may change carries the variant `preset:`, and
 * the tests refuse any other conflict.
 */
export { clsx as cn } from "clsx";
