import type { PageScript } from './page-script.js'

/**
 * Lets the `Date` of a document run ahead, before the scripts of the page run and in their world. What a page sees of it otherwise is as
 * before: its prototype, its properties, and dates that are made of a value.
 */
export const setClockAhead: PageScript<[aheadMs: number], void> = { run: replaceDate, helpers: [] }

function replaceDate(aheadMs: number): void {
  const { now, prototype } = Date
  // As they are now: the page may replace them.
  const { value: toText } = Object.getOwnPropertyDescriptor(prototype, 'toString')!
  const { apply, construct } = Reflect
  const later = () => now() + aheadMs
  const clock = new Proxy(Date, {
    apply: (date) => apply(toText, new date(later()), []),
    construct: (date, values, target) => construct(date, values.length ? values : [later()], target),
  })
  const define = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true })
  define(clock, 'now', new Proxy(now, { apply: later }))
  define(prototype, 'constructor', clock)
  define(globalThis, 'Date', clock)
}
