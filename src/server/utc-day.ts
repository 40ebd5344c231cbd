export { DAY_MS } from '../query/help/index.js'

/** The day of a time in milliseconds since 1970: `YYYY-MM-DD`, UTC. Limits and the usage of keys are counted by it. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
