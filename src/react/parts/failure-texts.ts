// Its own file because only failed and stale previews load it.

import type { PageError } from '../../query/index.js'
import { englishReasons } from '../messages/english-reasons.js'
import type { Messages } from '../messages/messages.js'

/** One sentence for the reader that explains why there is no preview. */
export function failureMessage(
  { failed, reasons: callerReasons }: Pick<Messages, 'failed'> & Partial<Messages>,
  { code, data }: PageError,
): string {
  const reasons = { ...englishReasons, ...callerReasons }
  const detailedCode = `${code}.${data?.element}` as keyof Messages['reasons']
  return failed(reasons[detailedCode] ?? reasons[code] ?? reasons.EFATAL ?? code)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `3d ago`: an age in its largest unit, at least one minute. */
export function formatAge(ageMs: number, locale: string): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => ageMs >= unitMs) ?? UNITS[2]
  const format = new Intl.RelativeTimeFormat(locale, { style: 'narrow' })
  return format.format(-Math.max(1, Math.floor(ageMs / unitMs)), unit)
}
