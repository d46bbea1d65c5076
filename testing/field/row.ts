/** One input from outside, and what the product makes of it. docs/field-reports.md says how to add a row. */
export interface Row<Input, Expected> {
  input: Input;
  expected: Expected;
  /** Public report of a problem that this input caused in another project. */
  source: `${string}/${string}#${number}`;
}
