const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** A measured time: `12 ms`, `1.58 s`, `28.0 s`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  return `${(ms / 1_000).toPrecision(3)} s`
}

/** A lifetime or an age, in at most two units: `3 h 12 m`, `24 h`, `31 d`. */
export function formatPeriod(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000)) * 1_000
  // Up to two days, hours are easier to compare: "24 h", "36 h".
  const index = UNITS.findIndex(([unit, unitMs]) => seconds >= unitMs * (unit === 'd' ? 2 : 1))
  const [unit, unitMs] = UNITS[index] ?? ['s', 1_000]
  const [smallUnit, smallMs] = UNITS[index + 1] ?? ['', Infinity]
  const remainder = Math.floor((seconds % unitMs) / smallMs)
  const large = `${Math.floor(seconds / unitMs)} ${unit}`
  return remainder ? `${large} ${remainder} ${smallUnit}` : large
}

/** A duration as the query language writes it: `24h`, `90s`, or plain milliseconds. */
export function durationValue(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? ['', 1]
  return `${ms / unitMs}${unit}`
}
