import "server-only";

/** How long one Redis request may take, all tries included: a failing endpoint has to answer 503 within 2 s. */
export const redisDeadlineMs = 1_500;
