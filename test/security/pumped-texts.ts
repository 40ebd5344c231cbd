import fc from 'fast-check'

const TEXT_CHARS = 64 * 1_024
const SEED = 1
const RUNS = 150
/** Attempts before a slow measurement counts: the machine may be busy, or the code not compiled yet. */
const ATTEMPTS = 50
/** What no noise explains: further attempts would only take time. */
const HOPELESS = 100

/** Whitespace, separators, digits and letters, on which patterns of every kind may backtrack. */
const GENERAL_TOKENS = [
  '',
  ' ',
  '\t',
  '\n',
  '0',
  '1',
  'a',
  'A',
  'é',
  '-',
  '.',
  ':',
  ',',
  ';',
  '/',
  '"',
  "'",
  '(',
  '[',
  '<',
  '&',
  '%',
  '+',
]

/**
 * Runs a parser on texts of 64 kB that repeat one piece between a beginning and an end, where a pattern that is not linear takes
 * seconds. The pieces consist of the tokens of the parser's own language and of random characters.
 *
 * @returns  The greatest time as `timeRatio` measures it, and the text that took it.
 */
export function slowestPumpedText(
  parse: (text: string) => unknown,
  tokens: readonly string[],
  maxRatio: number,
): { ratio: number; text: string } {
  const slowest = { ratio: 0, text: '' }
  const token = fc.constantFrom(...tokens, ...GENERAL_TOKENS)
  const pump = fc.array(token, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('') || ' ')
  const end = fc.oneof(token, fc.string({ unit: 'binary', maxLength: 3 }))
  const property = fc.property(token, pump, end, (start, pump, end) => {
    const text = start + pump.repeat(Math.ceil(TEXT_CHARS / pump.length)).slice(0, TEXT_CHARS) + end
    const ratio = timeRatio(() => parse(text), maxRatio)
    if (ratio > slowest.ratio) Object.assign(slowest, { ratio, text: describeText(start, pump, end) })
    return ratio < maxRatio
  })
  fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
  return slowest
}

/**
 * CPU time of this process, as a multiple of what Node takes to split 64 kB of parameters (about half a millisecond). Of several
 * attempts, made while the ratio exceeds `maxRatio`, the fastest count.
 */
export function timeRatio(work: () => unknown, maxRatio: number): number {
  let [workUs, referenceUs] = [Infinity, Infinity]
  for (let attempt = 0; attempt < ATTEMPTS && !(workUs < maxRatio * referenceUs); attempt++) {
    referenceUs = Math.min(referenceUs, cpuTime(splitParameters))
    workUs = Math.min(workUs, cpuTime(work))
    if (workUs > HOPELESS * maxRatio * referenceUs) break
  }
  return workUs / referenceUs
}

const parametersText = '&a=1'.repeat(TEXT_CHARS / 4)
const splitParameters = () => new URLSearchParams(parametersText)
// Without this the first attempts would compare with code that is not compiled yet.
for (let run = 0; run < ATTEMPTS; run++) splitParameters()

/** In microseconds. */
function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage()
  try {
    work()
  } catch {
    // A rejected text is as good as a parsed one.
  }
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, user + system)
}

const describeText = (start: string, pump: string, end: string) =>
  `${JSON.stringify(start)}, ${JSON.stringify(pump)} repeated, ${JSON.stringify(end)}`
