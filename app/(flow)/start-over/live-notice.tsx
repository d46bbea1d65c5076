"use client";

/* What other pages show as the server wrote it; here it is an island. */
export { StartOverNotice as LiveNotice } from "@/components/flow/screens/start-over-notice";
