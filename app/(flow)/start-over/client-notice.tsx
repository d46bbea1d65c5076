"use client";

/* An island must be a client component. StartOverNotice is not one, because other pages render it on the server. */
export { StartOverNotice as ClientStartOverNotice } from "@/components/flow/screens/start-over-notice";
