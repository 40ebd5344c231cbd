import { formatTable, printable } from '../command-line/index.js'
import type {
  Candidate,
  ExplainedDocument,
  ExplainedLayer,
  ExplainedRequest,
  Explanation,
  PageResponse,
} from '../query/index.js'

/** The explanation of a result as indented text. What the page states is printed without control characters, each on one line. */
export function explanationText(
  { data, statusCode, warnings = [] }: PageResponse,
  { requests, documents, choice, fields, layers, pending, blocked, timings }: Explanation,
): string {
  const stated = Object.entries(fields).filter(([, candidates]) => candidates.length > 0)
  const missing = Object.keys(fields).filter((field) => fields[field]?.length === 0)
  const sections: [title: string, lines: string[]][] = [
    ['Result', [`status ${statusCode}${data.state ? `, ${data.state} instead of the content` : ''}`, ...warnings]],
    ['Requests', formatTable(requests.map(requestRow), MAX_CELL)],
    ['Documents', documents.flatMap(documentLines)],
    ['Metadata from', [choice, ...LEGEND]],
    ...stated.map(([field, candidates]): [string, string[]] => [field, candidates.flatMap(candidateLines)]),
    ['No candidates for', missing.length ? [missing.join(', ')] : []],
    ['In front of the page', layers.flatMap(layerLines)],
    ['Still loading when the page was captured', pending],
    [`Blocked: ${count(blocked.count, 'URL')} of ads, trackers and consent banners`, blocked.urls],
    [
      'Time by step; some steps overlap',
      [
        Object.entries(timings)
          .map(([step, ms]) => `${step} ${Math.round(ms)} ms`)
          .join(', '),
      ],
    ],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      [title, ...lines.map((line) => `  ${line}`)].map((line) => `${onOneLine(line)}\n`).join(''),
    )
    .join('\n')
}

const LEGEND = [
  'Below, * marks what is used, and x what cannot be. Of the others the highest score wins, or the first of equals.',
  'In front of a value is its id, by which title.pick and image.pick select another.',
]

/** Indented as it was, without control characters. */
const onOneLine = (line: string) => printable(line, MAX_LINE_CHARS)

/** A value, its source and its reasons. */
const MAX_LINE_CHARS = 1_000
const MAX_CELL = 100

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

const CAUSES = { redirect: 'after a redirect', refresh: 'after a refresh', repetition: 'repeated' }

const requestRow = ({ url, statusCode, size, durationMs, cause, hasEndedEarly }: ExplainedRequest): string[] => [
  String(statusCode),
  cause === undefined ? '' : CAUSES[cause],
  printable(url),
  `${durationMs} ms`,
  size === null ? '' : count(size, 'byte') + (hasEndedEarly ? ', then the connection ended early' : ''),
]

function documentLines({
  by,
  userAgent,
  url,
  statusCode,
  title,
  textChars,
  state,
  reason,
}: ExplainedDocument): string[] {
  const what = [
    statusCode === null ? 'no response' : `status ${statusCode}`,
    title === null ? 'no title' : `the title "${printable(title)}"`,
    `${count(textChars, 'character')} of text`,
  ].join(', ')
  return [
    `${by === 'fetch' ? 'the service by itself' : 'its browser'} got ${printable(url)}`,
    `  as ${printable(userAgent)}`,
    `  ${what}`,
    ...(state ? [`  ${state}`] : []),
    ...(reason === undefined ? [] : [`  ${printable(reason)}`]),
  ]
}

function candidateLines({
  id,
  value,
  source,
  score,
  reasons,
  isSelected,
  problem,
  durationMs,
  ...file
}: Candidate): string[] {
  const isUsed = isSelected ? '*' : score === null || problem !== undefined ? 'x' : ' '
  const { width, height, type } = file
  const size = width && height ? `${width} × ${height} ${printable(type ?? '')}`.trim() : undefined
  const why = [...reasons, problem].filter((text) => text !== undefined).map((text) => printable(text))
  const facts = [
    printable(source),
    score === null ? 'never used' : `score ${score}`,
    size,
    ...why,
    durationMs !== undefined && `${durationMs} ms`,
  ]
  return [`${isUsed} ${id}  ${printable(value)}`, `            ${facts.filter(Boolean).join(', ')}`]
}

const layerLines = ({ element, text, count: elements, isHidden, reason }: ExplainedLayer): string[] => [
  `${isHidden ? 'was hidden' : 'was left  '}  ${printable(element)}${elements > 1 ? ` (${count(elements, 'element')})` : ''}`,
  `            it ${printable(reason)}${text ? `: "${printable(text, MAX_CELL)}"` : ''}`,
]
