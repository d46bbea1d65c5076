import "server-only";

/** Carries the socket's address to handlers and middleware, which see no socket; written by the request hook. */
export const socketAddressHeader = "x-socket-address";
