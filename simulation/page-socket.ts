import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { paths, streamParameters } from "@keepsats/protocol";
import type { App } from "../apps/server/src/app.ts";
import { PUBLIC_URL } from "./shop.ts";
import type { Listener, Subscription } from "./world.ts";

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
/** A masked pong frame and a masked close frame, both empty. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const CLOSE_FRAME = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);
const HEAD_END = "\r\n\r\n";

/** The client's end of a WebSocket without a network. */
export class PageSocket extends Socket {
  readonly listener: Listener;
  #received = Buffer.alloc(0);
  #isOpen = false;

  constructor(listener: Listener) {
    super();
    this.listener = listener;
    Object.defineProperty(this, "remoteAddress", { value: "192.0.2.1" });
    this.once("close", () => listener.onClose());
  }

  /** Requests the order stream of a server, as a browser does. */
  open({ server }: Pick<App["http"], "server">, { orderId, loanId, key }: Subscription): void {
    const request = new IncomingMessage(this);
    const query = new URLSearchParams({
      [streamParameters.orderId]: orderId,
      ...(loanId === undefined ? {} : { [streamParameters.contractId]: loanId }),
      ...(key === undefined ? {} : { [streamParameters.key]: key }),
    });
    request.method = "GET";
    request.url = `${paths.orderStream}?${query}`;
    request.headers = {
      host: "shop.example",
      origin: PUBLIC_URL,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "c2ltdWxhdGVkIGN1c3RvbQ==",
    };
    server.emit("upgrade", request, this, Buffer.alloc(0));
  }

  override _read(): void {}

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "latin1") : chunk;
    this.#received = Buffer.concat([this.#received, bytes]);
    done();
    if (this.#isOpen || this.#shakeHands()) this.#readFrames();
  }

  override _writev(chunks: { chunk: Buffer | string }[], done: () => void): void {
    for (const { chunk } of chunks) this._write(chunk, "latin1", () => {});
    done();
  }

  override _final(done: () => void): void {
    done();
    this.push(null);
  }

  override _destroy(_error: Error | null, done: () => void): void {
    done();
  }

  close(): void {
    if (!this.destroyed) this.push(CLOSE_FRAME);
  }

  #shakeHands(): boolean {
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return false;
    this.#isOpen = this.#received.toString("latin1", 0, 12) === "HTTP/1.1 101";
    this.#received = this.#received.subarray(end + HEAD_END.length);
    return this.#isOpen;
  }

  #readFrames(): void {
    for (;;) {
      const [first = 0, short = 0] = this.#received;
      const isLong = short === 126;
      const start = isLong ? 4 : 2;
      if (this.#received.length < start) return;
      const length = isLong ? this.#received.readUInt16BE(2) : short;
      if (this.#received.length < start + length) return;
      const content = this.#received.subarray(start, start + length);
      this.#received = this.#received.subarray(start + length);
      this.#onFrame(first & 15, content);
    }
  }

  #onFrame(opcode: number, content: Buffer): void {
    if (opcode === TEXT) this.listener.onMessage(content.toString());
    if (opcode === PING) this.push(PONG);
    if (opcode === CLOSE) this.push(CLOSE_FRAME);
  }
}
