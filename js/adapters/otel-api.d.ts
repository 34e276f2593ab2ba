/** The parts of `@opentelemetry/api` that the adapter uses; it is not installed here. */
declare module '@opentelemetry/api' {
  type AttributeValue = string | number | boolean | readonly string[]
  type Attributes = Record<string, AttributeValue>

  interface Span {
    addEvent(name: string, attributes: Attributes): unknown
  }
  interface Counter {
    add(value: number, attributes: Attributes): void
  }
  interface Meter {
    createCounter(name: string, options: { description: string; unit: string }): Counter
  }

  export const trace: { getActiveSpan(): Span | undefined }
  export const metrics: { getMeterProvider(): { getMeter(name: string): Meter } }
}
