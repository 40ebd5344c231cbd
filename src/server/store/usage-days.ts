/** Days for which the usage of API keys is stored. */
const USAGE_DAYS = 31

const DAY_MS = 86_400_000

/** The first of the days up to `day` for which usage is stored; both `YYYY-MM-DD`. */
export const firstUsageDay = (day: string): string => dayName(Date.parse(day) - (USAGE_DAYS - 1) * DAY_MS)

/** The days for which usage is stored, the last one first. */
export const usageDays = (now: number): string[] =>
  Array.from({ length: USAGE_DAYS }, (_, index) => dayName(now - index * DAY_MS))

const dayName = (time: number) => new Date(time).toISOString().slice(0, 10)
