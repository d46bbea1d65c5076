/** Replaces style sheets in tests. */
const styles = {};

export default styles;
