import { Gauge, type Registry } from "prom-client";

interface Dependencies {
  readonly registry: Registry;
  /** How many webhooks the shop has switched off because they failed. */
  readonly switchedOff: () => number;
}

/** The metric of webhooks; their deliveries are in the metrics of the outbox. */
export function createWebhookMetrics({ registry, switchedOff }: Dependencies): void {
  new Gauge({
    name: "keepsats_webhooks_switched_off",
    help: "Webhooks that the shop has switched off because they failed, and that nobody has switched on since",
    registers: [registry],
    collect() {
      this.set(switchedOff());
    },
  });
}
