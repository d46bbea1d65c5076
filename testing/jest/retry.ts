/* A machine that stands still for a moment can fail a timed test. Jest prints the failure, and repeats the test, like Playwright. */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
