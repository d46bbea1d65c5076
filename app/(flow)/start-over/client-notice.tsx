"use client";

/* StartOverNotice is a server component on other pages, but an island must be a client component. */
export { StartOverNotice as ClientStartOverNotice } from "@/components/flow/screens/start-over-notice";
