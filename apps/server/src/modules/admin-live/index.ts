export { type LiveSockets, serveLiveSockets } from "./live-sockets.ts";
