const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** How long something took: `12 ms`, `1.58 s`, `28.0 s`. */
export function formatTime(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  return `${(ms / 1_000).toPrecision(3)} s`
}

/** A span of life: `3 h 12 m`, `24 h`, `31 d`, at most two units. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000)) * 1_000
  // A day and a half is read more easily in hours.
  const at = UNITS.findIndex(([unit, unitMs]) => seconds >= unitMs * (unit === 'd' ? 2 : 1))
  const [unit, unitMs] = UNITS[at] ?? ['s', 1_000]
  const [smallUnit, smallMs] = UNITS[at + 1] ?? ['', Infinity]
  const rest = Math.floor((seconds % unitMs) / smallMs)
  const large = `${Math.floor(seconds / unitMs)} ${unit}`
  return rest ? `${large} ${rest} ${smallUnit}` : large
}

/** A duration as the query language writes it: `24h`, `90s`, or plain milliseconds. */
export function shortDuration(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? ['', 1]
  return `${ms / unitMs}${unit}`
}
