"use client";

/* Makes StartOverNotice a client component, because an island needs one. */
export { StartOverNotice as ClientStartOverNotice } from "@/components/flow/screens/start-over-notice";
