import "@testing-library/jest-dom";
import { format } from "node:util";

/*
 * React reports mistakes (a missing key, a state change outside act, markup that cannot hydrate) through the
 * console only, where nobody looks. A test that expects such a line says so: jest.spyOn(console, "error").
 */

const stray: string[] = [];

beforeEach(() => {
  stray.length = 0;
  for (const level of ["error", "warn"] as const) {
    console[level] = (...values: unknown[]) => {
      stray.push(`console.${level}: ${format(...values)}`);
    };
  }
});

afterEach(() => {
  if (stray.length > 0) throw new Error(`Stray console output:\n\n${stray.join("\n\n")}`);
});
