/** Longer names are cut; the time of comparing grows with their length. */
const MAX_CHARS = 60
/** What begins with the written name is nearer than what differs in a letter. */
const START_DISTANCE = 0.5
/** A longer part of the written name is nearer than a shorter one. */
const partDistance = (name: string) => 2 + 1 / name.length
const MIN_PART_CHARS = 3

/**
 * The known name that was most probably meant by an unknown one, in any case and with any separators.
 *
 * @param maxDistance  How many letters may differ. Default: any number.
 * @returns            `undefined` where no name is that near.
 */
export function nearestName(written: string, names: readonly string[], maxDistance = Infinity): string | undefined {
  const text = folded(written)
  const [nearest] = names
    .map((name) => ({ name, distance: distanceOf(text, folded(name)) }))
    .toSorted((a, b) => a.distance - b.distance || a.name.length - b.name.length)
  return nearest && nearest.distance <= maxDistance ? nearest.name : undefined
}

const folded = (name: string) =>
  name
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .replace(/[\s_-]+/g, '')

function distanceOf(written: string, name: string): number {
  const distance = editDistance(written, name)
  if (written.length >= MIN_PART_CHARS && name.startsWith(written)) return Math.min(START_DISTANCE, distance)
  const isPart = name.length >= MIN_PART_CHARS && written.includes(name)
  return isPart ? Math.min(partDistance(name), distance) : distance
}

/** How many letters have to be inserted, deleted or replaced: https://en.wikipedia.org/wiki/Levenshtein_distance */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
