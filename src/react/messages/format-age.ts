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
