/**
 * Converts OpenTelemetry spans to one form, from OTLP JSON, Python's console exporter, Jaeger, and
 * dumps in which spans contain their children.
 *
 * @module
 */

import {
  asFields,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  stringOf,
  timeOf,
  wordOf,
} from './data.js'

/** A span, from any source. */
export interface Span {
  readonly id: unknown
  readonly parent: unknown
  readonly name: string
  readonly start: unknown
  readonly end: unknown
  readonly isFailed: boolean
  /** The message of an exception, or the status. */
  readonly problem: unknown
  readonly attributes: Fields
  /** The messages that the span has as events: the dialect of GenAI before 1.37. */
  readonly messages: readonly EventMessage[]
}

/** A message that is an event of a span. */
export interface EventMessage {
  /** What comes between `gen_ai.` and `.message`, or `choice`. */
  readonly kind: string
  readonly fields: Fields
}

/** Attributes that may stand in an event of the span in place of the span itself. */
const MESSAGES = ['gen_ai.input.messages', 'gen_ai.output.messages']

/** Values nested deeper than this are cut off. */
const MAX_DEPTH = 20

/** Returns whether a record contains spans, or is one. */
export function holdsSpans(record: unknown): boolean {
  const fields = fieldsOf(record)
  const [trace] = listOf(fields.data).map(fieldsOf)
  const [span] = listOf(fields.spans).map(fieldsOf)
  return (
    Array.isArray(fields.resourceSpans ?? fields.resource_spans) ||
    listOf(fields.batches).some((batch) => 'scopeSpans' in fieldsOf(batch)) ||
    (trace !== undefined && 'traceID' in trace && Array.isArray(trace.spans)) ||
    (span !== undefined && ('span_id' in span || 'spanId' in span || 'spanID' in span)) ||
    isSpan(fields)
  )
}

function isSpan(fields: Fields): boolean {
  const { span_id, trace_id } = fieldsOf(fields.context)
  const hasIds = Boolean((span_id && trace_id) || (fields.spanId && fields.traceId))
  return (hasIds && Boolean(fields.name)) || Boolean(fields.span_id && fields.span_attributes)
}

/** Keys of lists that hold spans, or what holds them. */
const HOLDERS = [
  'resourceSpans',
  'resource_spans',
  'batches',
  'scopeSpans',
  'scope_spans',
  'instrumentationLibrarySpans',
  'spans',
  'data',
  'child_spans',
]

/** Returns the spans in a record, as they are written. */
export function* spansIn(record: Fields): Iterable<Span> {
  const stack: Fields[] = [record]
  for (let held = stack.pop(); held; held = stack.pop()) {
    const fields = held
    if (hasSpanId(fields)) yield spanOf(fields)
    const inner = HOLDERS.flatMap((key) => listOf(fields[key])).map(fieldsOf)
    for (const one of inner.reverse()) stack.push(one)
  }
}

function hasSpanId(fields: Fields): boolean {
  return Boolean(
    fields.spanId ?? fields.span_id ?? fields.spanID ?? fieldsOf(fields.context).span_id,
  )
}

function spanOf(span: Fields): Span {
  const status = fieldsOf(span.status)
  const code = wordOf(status.code ?? status.status_code ?? span.status_code)
  const start =
    fromNano(span.startTimeUnixNano ?? span.start_time_unix_nano) ??
    span.start_time ??
    span.startTime ??
    span.timestamp
  const events = [...listOf(span.events), ...listOf(span.logs)].map(fieldsOf)
  const fieldsIn = (event: Fields) => plain(event.attributes ?? event.Attributes ?? event.fields)
  const recorded = events.map(fieldsIn)
  const exception = recorded.find((fields) => fields['exception.message'] !== undefined)
  const attributes = {
    ...recorded.find((fields) => MESSAGES.some((key) => key in fields)),
    ...plain(span.attributes ?? span.span_attributes ?? span.tags),
  }
  const isFailed = /^(?:2|STATUS_CODE_ERROR|error)$/i.test(code) || attributes.error === true
  return {
    id: span.spanId ?? span.span_id ?? span.spanID ?? fieldsOf(span.context).span_id,
    parent: span.parentSpanId ?? span.parent_span_id ?? span.parent_id ?? jaegerParent(span),
    name: stringOf(span.name ?? span.span_name ?? span.operationName) ?? '',
    start,
    end:
      fromNano(span.endTimeUnixNano ?? span.end_time_unix_nano) ??
      span.end_time ??
      endOf(start, span.duration),
    isFailed,
    problem: exception?.['exception.message'] ?? status.message ?? span.status_message,
    attributes,
    messages: events.flatMap((event) => {
      const [, message, choice] = MESSAGE_EVENT.exec(wordOf(event.name ?? event.Name)) ?? []
      const kind = message ?? choice
      return kind === undefined ? [] : [{ kind, fields: fieldsIn(event) }]
    }),
  }
}

const MESSAGE_EVENT = /^gen_ai\.(?:(user|assistant|tool)\.message|(choice))$/

function jaegerParent(span: Fields): unknown {
  return fieldsOf(listOf(span.references).find((one) => fieldsOf(one).refType === 'CHILD_OF'))
    .spanID
}

/** Converts nanoseconds, so that their unit need not be guessed. */
function fromNano(value: unknown): unknown {
  const nano = numberOf(value)
  return nano === undefined ? value : { ms: nano / 1e6 }
}

/**
 * Computes the end of a span. A duration is a number of microseconds, or an ISO text such as
 * `PT1M5.2S`.
 */
function endOf(start: unknown, duration: unknown): unknown {
  const from = timeOf(start)
  if (from === undefined) return undefined
  if (typeof duration === 'number') return from + duration / 1000
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(wordOf(duration))
  if (!found) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((text) => Number(text ?? 0))
  return from + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** Returns attributes as an object; a list of keys with typed values is converted to one. */
function plain(attributes: unknown): Fields {
  if (!Array.isArray(attributes)) return fieldsOf(attributes)
  const pairs = attributes.map(fieldsOf).map(({ key, value }) => [wordOf(key), anyValue(value, 0)])
  return Object.fromEntries(pairs)
}

function anyValue(value: unknown, depth: number): unknown {
  const typed = asFields(value)
  if (!typed || depth > MAX_DEPTH) return value
  const arrayValue = typed.arrayValue ?? typed.array_value
  const kvlistValue = typed.kvlistValue ?? typed.kvlist_value
  if (arrayValue)
    return listOf(fieldsOf(arrayValue).values).map((item) => anyValue(item, depth + 1))
  if (kvlistValue) {
    const pairs = listOf(fieldsOf(kvlistValue).values).map(fieldsOf)
    return Object.fromEntries(
      pairs.map((pair) => [wordOf(pair.key), anyValue(pair.value, depth + 1)]),
    )
  }
  return (
    typed.stringValue ??
    typed.intValue ??
    typed.doubleValue ??
    typed.boolValue ??
    typed.string_value ??
    typed.int_value ??
    typed.double_value ??
    typed.bool_value
  )
}
