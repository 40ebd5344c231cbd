import { parameterHelp } from '../query/help/index.js'
import { fields, type ParameterName } from '../query/index.js'

const COMMAND_OPTIONS: [string, string][] = [
  [
    '-o, --output FILE',
    'write the screenshot (or the field that --embed names) to a file; .png, .jpg, .webp or .avif sets its type',
  ],
  ['--endpoint URL', 'URL of the free host (PAGE_PREVIEW_ENDPOINT, default http://127.0.0.1:3000)'],
  ['--pro-endpoint URL', 'URL of the pro host (PAGE_PREVIEW_PRO_ENDPOINT, default http://127.0.0.1:3001)'],
  ['--api-key KEY', 'key of the pro host (PAGE_PREVIEW_API_KEY)'],
  ['--verbose', 'print status, cache and timing to stderr'],
]
const MAX_NAME_CHARS = 36

/** @param command  `snippet`, or anything else for the command as a whole. */
export const helpText = (command: string): string => (command === 'snippet' ? snippetHelp() : pageHelp())

function pageHelp(): string {
  const parameters = (Object.keys(fields) as ParameterName[])
    .filter((name) => name !== 'url')
    .map((name): [string, string] => [`--${name}${valueHint(name)}`, parameterHelp[name]])
  return `Prints metadata and a real screenshot of a web page, as JSON from a Page Preview service.

  page-preview <url> [--parameter[=value] …]   request one page from a running service
  page-preview snippet <service>               print the HTML to paste into a page (see page-preview snippet --help)
  page-preview serve|keys|purge|freeze|check|capture …
                                               run page-preview-server, where it is installed

  page-preview https://example.com --screenshot --element h1
  page-preview https://example.com -o screenshot.jpg

Options
${formatRows(COMMAND_OPTIONS)}

Parameters, in camelCase, snake_case or kebab-case
${formatRows(parameters)}
`
}

function snippetHelp(): string {
  return `Prints the HTML that adds previews to a page. The service must run this version: the integrity hashes are those of
the files that it serves, so that browsers load nothing else.

  page-preview snippet https://previews.example.com
`
}

function valueHint(name: ParameterName): string {
  const field = fields[name]
  if (field.type === 'choice') return `=${field.values.join('|')}`
  return field.type === 'boolean' || field.type === 'switches' ? '' : `=<${field.type}>`
}

function formatRows(rows: [string, string][]): string {
  const width = Math.min(MAX_NAME_CHARS, Math.max(...rows.map(([name]) => name.length)))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}
