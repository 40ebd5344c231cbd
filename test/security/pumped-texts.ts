import fc from 'fast-check'

const TEXT_CHARS = 64 * 1_024
const SEED = 1
const RUNS = 150
/** Attempts before a slow measurement counts: the machine may be busy, or the code not compiled yet. */
const ATTEMPTS = 8
/** CPU time that Node takes to parse 64 kB of parameters on the machine that the budgets were set on. */
const REFERENCE_MS = 1

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
 * @returns  The slowest time, milliseconds of CPU, and the text that took it.
 */
export function slowestPumpedText(
  parse: (text: string) => unknown,
  tokens: readonly string[],
  budgetMs: number,
): { ms: number; text: string } {
  const slowest = { ms: 0, text: '' }
  const token = fc.constantFrom(...tokens, ...GENERAL_TOKENS)
  const pump = fc.array(token, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('') || ' ')
  const end = fc.oneof(token, fc.string({ unit: 'binary', maxLength: 3 }))
  const property = fc.property(token, pump, end, (start, pump, end) => {
    const text = start + pump.repeat(Math.ceil(TEXT_CHARS / pump.length)).slice(0, TEXT_CHARS) + end
    const ms = cpuTime(() => parse(text), budgetMs)
    if (ms > slowest.ms) Object.assign(slowest, { ms, text: describeText(start, pump, end) })
    return ms < budgetMs
  })
  fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
  return slowest
}

/**
 * CPU time of this process, as it would be on the machine that the budgets were set on: the least of several attempts when the
 * first exceeds the budget, divided by how much slower this machine is with a reference at the same time.
 */
export function cpuTime(run: () => unknown, budgetMs: number): number {
  let ms = measure(run)
  let referenceMs = Infinity
  for (let attempt = 1; attempt < ATTEMPTS && ms >= budgetMs; attempt++) {
    referenceMs = Math.min(referenceMs, measure(parseReference))
    ms = Math.min(ms, measure(run))
  }
  const slowness = referenceMs === Infinity ? 1 : Math.max(1, referenceMs / REFERENCE_MS)
  return ms / slowness
}

const referenceText = '&a=1'.repeat(TEXT_CHARS / 4)
const parseReference = () => new URLSearchParams(referenceText)

function measure(run: () => unknown): number {
  const before = process.cpuUsage()
  try {
    run()
  } catch {
    // A rejected text is as good as a parsed one.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const describeText = (start: string, pump: string, end: string) =>
  `${JSON.stringify(start)}, ${JSON.stringify(pump)} repeated, ${JSON.stringify(end)}`
