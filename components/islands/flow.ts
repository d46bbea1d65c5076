import { GetLikes } from "@/components/flow/get-likes";
import { Preview } from "@/components/flow/preview";
import { StartOverNotice } from "@/components/flow/start-over-notice";
import { Verification } from "@/components/flow/verification";
import { takeOver } from "@/components/islands/take-over";

takeOver("flow/verification", Verification);
takeOver("flow/get-likes", GetLikes);
takeOver("flow/preview", Preview);
takeOver("flow/start-over", StartOverNotice);
