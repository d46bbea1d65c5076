"use client";

/* An island must be a client component. On other pages, StartOverNotice is a server component. */
export { StartOverNotice as ClientStartOverNotice } from "@/components/flow/screens/start-over-notice";
