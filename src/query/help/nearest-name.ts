/** Longer names are cut: the time of comparing grows with their length. */
const MAX_CHARS = 40
/** What begins with the written name is nearer than what differs in a letter. */
const START_DISTANCE = 0.5
/** A longer part of the written name is nearer than a shorter one. */
const partDistance = (name: string) => 2 + 1 / name.length
const MIN_PART_CHARS = 3

/**
 * The known name that was most probably meant by an unknown one, in any case and with any separators.
 *
 * @param maxDistance  How many letters may differ. Default: any number.
 * @returns            `undefined` if no name is that near.
 */
export function nearestName(written: string, names: readonly string[], maxDistance = Infinity): string | undefined {
  const text = folded(written)
  let nearest: string | undefined
  let least = maxDistance
  for (const name of names) {
    const distance = distanceOf(text, folded(name), least)
    if (distance > least || (distance === least && nearest !== undefined && name.length >= nearest.length)) continue
    nearest = name
    least = distance
  }
  return nearest
}

const folded = (name: string) =>
  name
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .replace(/[\s_-]+/g, '')

/** @returns  Any number above `maxDistance` for a name that is further away. */
function distanceOf(written: string, name: string, maxDistance: number): number {
  if (written.length >= MIN_PART_CHARS && name.startsWith(written))
    return Math.min(START_DISTANCE, name.length - written.length)
  const isPart = name.length >= MIN_PART_CHARS && written.includes(name)
  const distance = isPart ? partDistance(name) : Infinity
  // At least as many letters as the lengths differ have to be inserted.
  const isNear = Math.abs(written.length - name.length) <= Math.min(maxDistance, distance)
  return isNear ? Math.min(distance, editDistance(written, name)) : distance
}

/** How many letters have to be inserted, deleted or replaced: https://en.wikipedia.org/wiki/Levenshtein_distance */
function editDistance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.length]!
}
