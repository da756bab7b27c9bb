/** The life cycle state of the server. */
export type ServerState = "off" | "starting" | "running" | "failed";
