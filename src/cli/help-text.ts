import { parameterHelp } from '../query/help/index.js'
import { fields, type ParameterName } from '../query/index.js'
import { flagOf, serveOptions, variableOf } from '../server/index.js'

const OWN: [string, string][] = [
  ['-o, --output FILE', 'write the picture (or what --embed names) to a file'],
  ['--endpoint URL', 'free host to ask (PAGE_PREVIEW_ENDPOINT, default http://127.0.0.1:3000)'],
  ['--pro-endpoint URL', 'pro host to ask (PAGE_PREVIEW_PRO_ENDPOINT, default http://127.0.0.1:3001)'],
  ['--api-key KEY', 'key of the pro host (PAGE_PREVIEW_API_KEY)'],
  ['--verbose', 'status, cache and timing on stderr'],
]

const PAGES: Readonly<Record<string, () => string>> = { serve: serveHelp, keys: keysHelp, snippet: snippetHelp }

/** @param command  `serve`, `keys`, `snippet`, or anything else for the command as a whole. */
export const helpText = (command: string): string => (PAGES[command] ?? pageHelp)()

function pageHelp(): string {
  const words = (Object.keys(fields) as ParameterName[])
    .filter((word) => word !== 'url')
    .map((word): [string, string] => [`--${word}${valueHint(word)}`, parameterHelp[word]])
  return `Shows a web page as JSON with metadata and a real screenshot.

  page-preview <url> [--word[=value] …]   ask a running service for one page
  page-preview serve [--option …]         run the service (see page-preview serve --help)
  page-preview keys create|list|revoke    keys of the pro host (see page-preview keys --help)
  page-preview snippet <service>          what to paste into a page (see page-preview snippet --help)

  page-preview https://example.com --screenshot --element '#main'
  page-preview https://example.com -o picture.jpg

Options
${table(OWN)}

Words of the query, in camelCase, snake_case or kebab-case
${table(words)}
`
}

function serveHelp(): string {
  const rows = Object.entries(serveOptions).map(([name, option]): [string, string] => [
    [flagOf(name), 'placeholder' in option ? option.placeholder : ''].join(' ').trim(),
    `${option.help}${'default' in option && option.default !== false ? `; default ${option.default}` : ''} (${variableOf(name)})`,
  ])
  return `Runs the service: previews at /, the playground at /playground/, the script tag at /page-preview.js.

  page-preview serve [--option …]
  page-preview serve --demo

${table(rows)}
`
}

function keysHelp(): string {
  return `Keys of the pro host. What changes holds at once, also for every service that runs on the same folder or Redis.

${table([
  ['page-preview keys create --name NAME', 'makes a key and shows it, this once, on stdout'],
  ['page-preview keys list [--json]', 'id, name, created, revoked'],
  ['page-preview keys revoke ID', 'refuses it, and what was signed with it, from now on'],
])}

${table([
  ['--name NAME', 'whose key it is, for people'],
  ['--data-dir DIR', `folder of the service (${variableOf('dataDir')}); the default is that of serve`],
  ['--redis URL', `Redis that several instances share (${variableOf('redis')}); then the folder does not matter`],
  ['--json', 'the list as JSON'],
])}
`
}

function snippetHelp(): string {
  return `Prints the lines that bring previews to a page, for a service of this version that runs at an address. The hashes
are those of what the service gives, so that a browser takes nothing else.

  page-preview snippet https://previews.example.com
`
}

function valueHint(word: ParameterName): string {
  const field = fields[word]
  if (field.type === 'choice') return `=${field.values.join('|')}`
  return field.type === 'boolean' || field.type === 'switches' ? '' : `=<${field.type}>`
}

function table(rows: [string, string][]): string {
  const width = Math.min(36, Math.max(...rows.map(([name]) => name.length)))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}
