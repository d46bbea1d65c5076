"use client";

/* Makes StartOverNotice a client component, because an island needs one. */
export { StartOverNotice as LiveNotice } from "@/components/flow/screens/start-over-notice";
