/** The allowed targets that requests went to, and when: a result that was in production at that time may show them. */
export interface UsedAllowances {
  add(hostname: string, port: number): void
  /** @param startedAt  A reading of `performance.now()`. @returns `HOST:PORT` of each that was used since. */
  since(startedAt: number): string[]
}

export function createUsedAllowances(): UsedAllowances {
  const lastUses = new Map<string, number>()
  return {
    add: (hostname, port) => void lastUses.set(`${hostname}:${port}`, performance.now()),
    since: (startedAt) => [...lastUses].filter(([, usedAt]) => usedAt >= startedAt).map(([allowance]) => allowance),
  }
}
