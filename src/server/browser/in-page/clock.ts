import type { PageScript } from './page-script.js'

/**
 * Lets the clock of a document run ahead, before the scripts of the page run and in their world: for `Date`, for `Intl.DateTimeFormat`
 * where no date is passed, and for `Temporal.Now`. What a page sees of them otherwise is as before: prototypes, properties, and dates
 * that are made of a value.
 */
export const setClockAhead: PageScript<[aheadMs: number], void> = {
  run: setAllAhead,
  helpers: [setDateAhead, setFormatAhead, setTemporalAhead, wrap],
}

function setAllAhead(aheadMs: number): void {
  // As it is now: the page may replace it.
  const { now } = Date
  const later = () => now() + aheadMs
  setDateAhead(later)
  setFormatAhead(later)
  setTemporalAhead(aheadMs)
}

function setDateAhead(later: () => number): void {
  const { prototype } = Date
  const { value: toText } = Object.getOwnPropertyDescriptor(prototype, 'toString')!
  const { apply, construct } = Reflect
  const clock = new Proxy(Date, {
    apply: (date) => apply(toText, new date(later()), []),
    construct: (date, values, target) => construct(date, values.length ? values : [later()], target),
  })
  wrap(clock, 'now', later)
  for (const [owner, name] of [
    [prototype, 'constructor'],
    [globalThis, 'Date'],
  ] as const)
    Object.defineProperty(owner, name, { value: clock, writable: true, enumerable: false, configurable: true })
}

function setFormatAhead(later: () => number): void {
  type Format = (date?: number) => unknown
  const call = Reflect.apply
  const apply = (format: Format, self: unknown, [date = later()]: [date?: number]) => call(format, self, [date])
  wrap(Intl.DateTimeFormat.prototype, 'formatToParts', apply)
  // A formatter has one function for its lifetime.
  const wrapped = new WeakMap<Format, Format>()
  wrap(Intl.DateTimeFormat.prototype, 'format', (get: () => Format, self) => {
    const format = call(get, self, [])
    if (!wrapped.has(format)) wrapped.set(format, new Proxy(format, { apply }))
    return wrapped.get(format)
  })
}

/** The compiler's types of `Temporal` are part of no version of the language yet. */
interface ZonedTime {
  add(duration: { milliseconds: number }): ZonedTime
  toInstant(): unknown
  toPlainDateTime(): unknown
  toPlainDate(): unknown
  toPlainTime(): unknown
}

function setTemporalAhead(aheadMs: number): void {
  type Now = Record<string, unknown> & { zonedDateTimeISO: (timeZone?: unknown) => ZonedTime }
  const { Now } = (globalThis as { Temporal?: { Now: Now } }).Temporal ?? {}
  if (!Now) return
  const { zonedDateTimeISO } = Now
  const later = (zone?: unknown) => zonedDateTimeISO(zone).add({ milliseconds: aheadMs })
  const replace = (name: string, read: (later: ZonedTime) => unknown) =>
    wrap(Now, name, (_: unknown, __: unknown, [zone]: unknown[]) => read(later(zone)))
  replace('zonedDateTimeISO', (later) => later)
  // It has no parameter: an argument, as that of `.then`, means nothing.
  wrap(Now, 'instant', () => later().toInstant())
  replace('plainDateTimeISO', (later) => later.toPlainDateTime())
  replace('plainDateISO', (later) => later.toPlainDate())
  replace('plainTimeISO', (later) => later.toPlainTime())
}

/** Replaces a function, or the getter of a property, by one that looks like it. */
function wrap(owner: object, name: string, apply: (original: never, self: unknown, args: never) => unknown): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)!
  const part = descriptor.get ? 'get' : 'value'
  Object.defineProperty(owner, name, { ...descriptor, [part]: new Proxy(descriptor[part], { apply }) })
}
