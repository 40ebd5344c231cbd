/** Counts by name; a count of 0 takes no memory. */
export function createCounts() {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.get(name) ?? 0
  return {
    count,
    add: (name: string) => void counts.set(name, count(name) + 1),
    remove(name: string) {
      if (count(name) > 1) counts.set(name, count(name) - 1)
      else counts.delete(name)
    },
  }
}
