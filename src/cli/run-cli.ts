import { createHash } from 'node:crypto'
import { access, constants, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createClient } from '../client/index.js'
import { parseResponse, sendRequest } from '../client/request.js'
import {
  defineCommand,
  helpRows,
  helpText,
  nearestCommand,
  runProgram,
  serviceUrl,
  UsageError,
  withVariables,
  type Command,
  type CommandEnvironment,
  type CommandProcess,
  type Program,
  type Values,
} from '../command-line/index.js'
import { explanationText } from './explanation-text.js'
import { completeUrl, parameterHelp, parseSearch } from '../query/help/index.js'
import { fields, isPageError, type PageResponse, type ParameterName, type ParsedQuery } from '../query/index.js'

declare const __VERSION__: string

/** Version of this package, replaced at build time. */
const version = __VERSION__

/** The commands of `page-preview-server`, which apps that only show previews do not install. */
const SERVER_COMMANDS = ['serve', 'keys', 'browser', 'purge', 'freeze', 'check', 'capture', 'mcp']

const pageOptions = {
  output: {
    short: 'o',
    placeholder: 'FILE',
    help: 'write the screenshot, or the field that --embed names, to FILE; the extension .png, .jpg, .webp or .avif sets the image type',
  },
  ...withVariables({
    endpoint: { placeholder: 'URL', default: 'http://127.0.0.1:3000', help: 'URL of the free host' },
    proEndpoint: { placeholder: 'URL', default: 'http://127.0.0.1:3001', help: 'URL of the pro host' },
    apiKey: { placeholder: 'KEY', help: 'key of the pro host' },
  }),
  verbose: { help: 'print status, cache and timing to stderr' },
} as const

type PageValues = Values<typeof pageOptions>

/**
 * Requests one page from the service and writes its JSON, or with `embed` the field itself, to stdout or a file, and with `explain`
 * an explanation in words to stdout. Every parameter is a flag. The exit code is 1 if the service refused; the reason is on stderr.
 */
export const pageCommand = (): Command =>
  defineCommand({
    description: 'Prints metadata and a real screenshot of a web page, as JSON from a Page Preview service.',
    usage: [
      ['page-preview <url> [--parameter[=value] …]', 'request one page from a running service'],
      ['page-preview snippet <service>', 'print the HTML to paste into a page (see page-preview snippet --help)'],
      [`page-preview ${SERVER_COMMANDS.join('|')} …`, 'run page-preview-server, if it is installed'],
    ],
    details: `  page-preview https://example.com --screenshot --element h1
  page-preview https://example.com -o screenshot.jpg
  page-preview https://example.com --explain`,
    options: pageOptions,
    notes: `Parameters, in camelCase, snake_case or kebab-case\n${helpRows(parameterRows())}`,
    parameters: 'all',

    async run({ values, parameters, operands }, environment) {
      assertAddress(operands, ['snippet', 'help', ...SERVER_COMMANDS])
      if (operands.length > 1)
        throw new UsageError(
          `One url can be requested at a time, and "${operands[1]}" is another argument. Write the value of a flag after "=", as in --embed=title.`,
        )
      const addresses = operands.map((operand): Parameter => ['url', completeUrl(operand)])
      const query = parseParameters([...addresses, ...parameters], values.output)
      if (values.output) await assertFolderIsWritable(dirname(resolve(values.output)))
      return requestPage(query, values, environment)
    },
  })

function parameterRows(): [flag: string, text: string][] {
  const names = (Object.keys(fields) as ParameterName[]).filter((name) => name !== 'url')
  return names.map((name) => [`--${name}${valueHint(name)}`, parameterHelp[name]])
}

function valueHint(name: ParameterName): string {
  const field = fields[name]
  if (field.type === 'choice') return `=${field.values.join('|')}`
  return field.type === 'boolean' ? '' : `=<${field.type}>`
}

/** An operand that is not a URL is most probably a command. */
function assertAddress([word = '']: readonly string[], commands: readonly string[]): void {
  if (!/^[a-z]+$/i.test(word)) return
  const command = nearestCommand(word, commands)
  throw new UsageError(
    command
      ? `Unknown command "${word}". Did you mean ${command}?`
      : `"${word}" is neither a command nor the URL of a page, such as https://example.com.`,
  )
}

type Parameter = [name: string, value: string]

/** With a file to write to, the screenshot is embedded unless a flag names another field. */
function parseParameters(parameters: Parameter[], output: string | undefined): ParsedQuery {
  const embeds = parameters.some(([name]) => name === 'embed')
  const all: Parameter[] =
    output && !embeds ? [...parameters, ['screenshot', 'true'], ['embed', 'screenshot.url']] : parameters
  const typed = output ? [...all, ...typeOfFile(output, all)] : all
  try {
    return parseSearch(new URLSearchParams(typed)).parsed
  } catch (error) {
    if (isPageError(error)) throw new UsageError(`${error.message} (${error.code})`, { cause: error })
    throw error
  }
}

/** The image has the type of its file name extension, unless a flag names another one. */
function typeOfFile(output: string, parameters: readonly Parameter[]): Parameter[] {
  const [, extension] = /\.(jpg|jpeg|png|webp|avif)$/i.exec(output) ?? []
  if (!extension || parameters.some(([name]) => /(^|\.)type$/.test(name))) return []
  const type = extension.toLowerCase().replace('jpeg', 'jpg')
  const [, embed = ''] = parameters.find(([name]) => name === 'embed') ?? []
  if (/^(true|screenshot(\.url)?)?$/.test(embed)) return [['screenshot.type', type]]
  return /^(image|logo)(\.url)?$/.test(embed) ? [['variant.type', type]] : []
}

async function requestPage(parsed: ParsedQuery, values: PageValues, environment: CommandEnvironment): Promise<number> {
  const { stderr } = environment
  const { endpoint: free, proEndpoint: pro } = values
  const apiKey = parsed.apiKey || values.apiKey
  const url = createClient({ endpoint: { free, pro }, apiKey }).requestUrl(parsed)
  let lastResponse: Response | undefined
  try {
    const { bytes, page, headers } = await sendRequest({ url, apiKey, warnings: [] }, {}, (response) => {
      lastResponse = response
      return readResponse(response, parsed)
    })
    if (page?.explanation) {
      // It has the warnings, too.
      await writeResult(explanationText(page, page.explanation), values.output, environment)
      return 0
    }
    await writeResult(page ? `${JSON.stringify(page, null, 2)}\n` : bytes, values.output, environment)
    for (const warning of warningsOf(page, headers)) stderr.write(`page-preview: ${warning}\n`)
    return 0
  } catch (error) {
    if (!isPageError(error)) throw error
    stderr.write(`page-preview: ${error.message} (${error.code})\n`)
    return 1
  } finally {
    if (values.verbose && lastResponse) stderr.write(responseSummary(lastResponse))
  }
}

/**
 * Reads the field itself with `embed`, else the result of the page.
 *
 * @throws  {PageError} The service's own error; `EFATALCLIENT` for a response that is not from a preview service.
 */
async function readResponse(response: Response, { query }: ParsedQuery) {
  const { headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const page = query.embed && response.ok ? undefined : parseResponse(response, parseJson(bytes))
  return { bytes, page, headers }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** What the user should know about a response, as sentences. */
function warningsOf(page: PageResponse | undefined, headers: Headers): string[] {
  if (headers.has('x-image-source'))
    return [
      'The page did not show its content, so the response is the image that the page names, instead of a screenshot.',
    ]
  const { warnings = [], data: { state } = {} } = page ?? {}
  return state && warnings.length === 0 ? [`The page did not show its content (${state}).`] : warnings
}

/** A capture takes seconds, and would be lost. */
async function assertFolderIsWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch((cause: unknown) => {
    throw new Error(`Nothing can be written to the folder ${folder}: create it, or pass another file with -o.`, {
      cause,
    })
  })
}

async function writeResult(
  content: Uint8Array | string,
  output: string | undefined,
  { stdout }: CommandEnvironment,
): Promise<void> {
  if (output) await writeFile(output, content)
  else if (stdout.isTTY && typeof content !== 'string' && content.includes(0))
    throw new UsageError('The response is binary: write it to a file with -o FILE.')
  else stdout.write(content)
}

const VERBOSE_HEADERS = [
  'x-cache-status',
  'age',
  'x-cache-ttl',
  'x-fetch-mode',
  'x-pricing-plan',
  'x-rate-limit-remaining',
  'x-response-time',
  'server-timing',
  'x-request-id',
]

function responseSummary({ status, headers, url }: Response): string {
  const lines = VERBOSE_HEADERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
  return [`HTTP ${status} ${url}`, ...lines, ''].join('\n')
}

const TIMEOUT_MS = 10_000

/** Prints the HTML that adds previews to a page: script and stylesheet of this version, with their integrity hashes. */
const snippetCommand = defineCommand({
  description: `Prints the HTML that adds previews to a page. The service must run this version: the integrity hashes match
the files that it serves, so that browsers load nothing else.`,
  usage: [['page-preview snippet https://previews.example.com']],
  options: {},

  async run({ operands }, { stdout }) {
    const base = `${oneService(operands)}/v${version}`
    const scriptUrl = `${base}/page-preview.js`
    const stylesUrl = `${base}/page-preview.css`
    const [scriptHash, stylesHash] = await Promise.all([scriptUrl, stylesUrl].map(hashOf))
    stdout.write(`<link rel="stylesheet" href="${stylesUrl}" integrity="${stylesHash}" crossorigin>
<script async src="${scriptUrl}" integrity="${scriptHash}" crossorigin></script>
<page-preview url="https://example.com" screenshot><a href="https://example.com">Example</a></page-preview>
`)
    return 0
  },
})

/** @throws  {UsageError} for anything but the URL of one service. */
function oneService(operands: readonly string[]): string {
  try {
    const [service = '', ...others] = operands
    if (others.length === 0) return serviceUrl()(service)
  } catch {
    // The sentence below says what to pass.
  }
  throw new UsageError('Pass the URL of a service: page-preview snippet https://previews.example.com')
}

/** @returns  The value of an `integrity` attribute for the file at a URL. */
async function hashOf(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new Error(`No service responds at ${url}.`, { cause })
  })
  if (!response.ok)
    throw new Error(`${url} responds with HTTP ${response.status}: does the service run version ${version}?`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}

function program(): Program {
  const page = pageCommand()
  return {
    name: 'page-preview',
    version,
    commands: {
      snippet: { load: async () => snippetCommand },
      ...Object.fromEntries(SERVER_COMMANDS.map((name) => [name, { delegate: runServerCommand }])),
    },
    missing: 'A URL is missing.',
    help: () => helpText(page),
    otherwise: page,
  }
}

/**
 * Runs one command line of `page-preview`.
 *
 * @param args  The arguments after the program's name.
 * @returns     Exit code: 0 success, 1 the service refused or is missing, 2 wrong usage.
 */
export const runCli = (args: readonly string[], process: CommandProcess): Promise<number> =>
  runProgram(program(), args, process)

/** @throws  Error with a sentence when the package of the service is not installed. */
async function runServerCommand(args: readonly string[], process: CommandProcess): Promise<number> {
  if (!isServerInstalled())
    throw new Error(
      `"${args[0]}" belongs to the service, a separate package. Install it with: npm install page-preview-server`,
    )
  const { runServerCli } = await import('page-preview-server/commands')
  return runServerCli(args, process)
}

function isServerInstalled(): boolean {
  try {
    import.meta.resolve('page-preview-server/commands')
    return true
  } catch {
    return false
  }
}
