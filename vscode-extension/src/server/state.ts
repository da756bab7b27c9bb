/** Where the server is in its life. */
export type ServerState = "off" | "starting" | "running" | "failed";
