/**
 * OpenTelemetry traces, off unless OTEL_EXPORTER_OTLP_ENDPOINT is set: then requests, jobs, database statements and
 * calls to providers are spans. While it is off, no OpenTelemetry package is loaded and `traced` only calls the work.
 */
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import { redact } from './redact.ts'
import { version } from './version.ts'

type Api = typeof import('@opentelemetry/api')
let active: { api: Api; tracer: Tracer } | undefined

export type TracingOptions = {
  /** Base address of an OTLP collector, such as http://localhost:4318. */
  endpoint: string
  serviceName: string
  /** Share of traces that are recorded, from 0 to 1. A caller's sampling decision takes precedence. */
  ratio: number
  role: string
}

/** Resolves to a function that stops tracing after sending buffered spans. */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, contexts, core] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ])
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': version,
      'whence.role': options.role,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` }),
      }),
    ],
  })
  api.context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(provider)
  active = { api, tracer: provider.getTracer('whence', version) }
  return async () => {
    active = undefined
    await provider.shutdown()
    api.trace.disable()
    api.context.disable()
    api.propagation.disable()
  }
}

export type SpanKind = 'server' | 'client' | 'consumer'

/** Runs the work in a span. Attributes are computed only while tracing is on; `headers` continue a caller's trace. */
export function traced<T>(
  span: { name: string; kind: SpanKind; attributes: () => Attributes; headers?: object },
  work: () => Promise<T>,
): Promise<T> {
  return active === undefined ? work() : record(active, span, work)
}

function record<T>(
  { api, tracer }: NonNullable<typeof active>,
  { name, kind, attributes, headers }: Parameters<typeof traced>[0],
  work: () => Promise<T>,
): Promise<T> {
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, consumer: api.SpanKind.CONSUMER }
  const parent =
    headers === undefined ? api.context.active() : api.propagation.extract(api.context.active(), headers)
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes: attributes() }, parent, (span) =>
    work().then(
      (result) => {
        span.end()
        return result
      },
      (error: unknown) => {
        fail(api, span, error)
        throw error
      },
    ),
  )
}

/** Redacted, because an error message may contain user input. */
function fail(api: Api, span: Span, error: unknown): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: redact(text).slice(0, 300) })
  span.end()
}
