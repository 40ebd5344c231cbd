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
  { requests, documents, choice, fields, layers, blocked, timings }: Explanation,
): string {
  const blockedTitle = `Blocked in the browser: ${count(blocked.count, 'URL')} of ads, trackers and consent banners`
  const sections = [
    [
      'Result',
      [
        `status ${statusCode}${data.state ? `, ${data.state} instead of the content` : ''}`,
        ...warnings.map((text) => printable(text)),
      ],
    ],
    ['Requests', formatTable(requests.map(requestRow), MAX_CELL)],
    ['Documents', documents.flatMap(documentLines)],
    ['Metadata from', [printable(choice), 'Below, * marks what is used, and x what cannot be.']],
    ...Object.entries(fields).map(
      ([field, candidates]) => [printable(field), candidates.flatMap(candidateLines)] as const,
    ),
    ['In front of the page', layers.flatMap(layerLines)],
    [blockedTitle, blocked.urls.map((url) => printable(url))],
    [
      'Time',
      [
        Object.entries(timings)
          .map(([step, ms]) => `${printable(step)} ${Math.round(ms)} ms`)
          .join(', '),
      ],
    ],
  ] as const
  return sections
    .filter(([title, lines]) => lines.length > 0 || title in fields)
    .map(([title, lines]) => `${title}\n${(lines.length ? lines : ['nothing']).map((line) => `  ${line}\n`).join('')}`)
    .join('\n')
}

const MAX_CELL = 100

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

const requestRow = ({ url, statusCode, size, durationMs }: ExplainedRequest): string[] => [
  String(statusCode),
  printable(url),
  `${durationMs} ms`,
  size === null ? '' : count(size, 'byte'),
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

function candidateLines({ id, value, source, score, reasons, isSelected, problem, ...file }: Candidate): string[] {
  const isUsed = isSelected ? '*' : score === null || problem !== undefined ? 'x' : ' '
  const { width, height, type } = file
  const size = width && height ? `${width} × ${height} ${printable(type ?? '')}`.trim() : undefined
  const why = [...reasons, problem].filter((text) => text !== undefined).map((text) => printable(text))
  const facts = [printable(source), score === null ? 'never used' : `score ${score}`, size, ...why]
  return [`${isUsed} ${id}  ${printable(value)}`, `            ${facts.filter(Boolean).join(', ')}`]
}

const layerLines = ({ element, text, count: elements, isHidden, reason }: ExplainedLayer): string[] => [
  `${isHidden ? 'hidden' : 'shown '}  ${printable(element)}${elements > 1 ? ` (${count(elements, 'element')})` : ''}`,
  `        it ${printable(reason)}${text ? `: "${printable(text, MAX_CELL)}"` : ''}`,
]
