/** Stands in for style sheets under test. */
const nothing = {};

export default nothing;
