import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

type Named<Label extends string> = { name: string; help: string; labels?: readonly Label[] };

/** A service's own numbers, in Prometheus' text form. Names carry their unit, as Prometheus advises. */
export type Metrics = {
  counter: <Label extends string>(of: Named<Label>) => Counter<Label>;
  gauge: <Label extends string>(of: Named<Label>) => Gauge<Label>;
  /** `buckets` in the metric's own unit. */
  histogram: <Label extends string>(of: Named<Label> & { buckets: number[] }) => Histogram<Label>;
  text: () => Promise<string>;
  contentType: string;
};

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const common = <Label extends string>({ name, help, labels = [] }: Named<Label>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (of) => new Counter(common(of)),
    gauge: (of) => new Gauge(common(of)),
    histogram: (of) => new Histogram({ ...common(of), buckets: of.buckets }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
