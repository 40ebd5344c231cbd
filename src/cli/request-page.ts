import { writeFile } from 'node:fs/promises'
import { createClient } from '../client/index.js'
import type { TerminalOutput } from '../query/help/index.js'
import { isPageError } from '../query/index.js'
import { readPageCommand, type PageCommand } from './read-page-command.js'
import { UsageError } from './usage-error.js'

/** What the command gets from its process. */
interface PageEnvironment {
  env: Readonly<Record<string, string | undefined>>
  stdout: TerminalOutput
  stderr: TerminalOutput
}

const LOCAL_FREE = 'http://127.0.0.1:3000'
const LOCAL_PRO = 'http://127.0.0.1:3001'

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

/**
 * Requests one page from the service and writes its JSON, or with `embed` the field itself, to stdout or a file.
 *
 * @returns  0, or 1 when the service refused; the reason is on stderr.
 * @throws   {UsageError}
 */
export async function requestPage(args: readonly string[], environment: PageEnvironment): Promise<number> {
  const command = parseCommand(args)
  const { client, lastResponse } = createCommandClient(command, environment)
  const { stderr } = environment
  try {
    // The client reads JSON envelopes only; an embedded field is taken from the response itself.
    const page = await client.page(command.parsed).catch((error: unknown) => {
      if (!command.parsed.query.embed || !lastResponse()?.ok) throw error
    })
    await writeResult(new Uint8Array(await lastResponse()!.arrayBuffer()), command, environment)
    if (page?.data.state) stderr.write(`page-preview: ${page.warnings?.join(' ')} (${page.data.state})\n`)
    if (lastResponse()!.headers.has('x-image-source'))
      stderr.write(
        'page-preview: The page did not show its content, so this is its own image instead of a screenshot.\n',
      )
    return 0
  } catch (error) {
    if (!isPageError(error)) throw error
    stderr.write(`page-preview: ${error.message} (${error.code})\n`)
    return 1
  } finally {
    const response = lastResponse()
    if (command.isVerbose && response) stderr.write(responseSummary(response))
  }
}

function parseCommand(args: readonly string[]): PageCommand {
  try {
    return readPageCommand(args)
  } catch (error) {
    if (isPageError(error)) throw new UsageError(`${error.message} (${error.code})`, { cause: error })
    throw error
  }
}

function createCommandClient(command: PageCommand, { env }: PageEnvironment) {
  let last: Response | undefined
  const client = createClient({
    hosts: {
      free: command.endpoint ?? env.PAGE_PREVIEW_ENDPOINT ?? LOCAL_FREE,
      pro: command.proEndpoint ?? env.PAGE_PREVIEW_PRO_ENDPOINT ?? LOCAL_PRO,
    },
    apiKey: command.apiKey ?? env.PAGE_PREVIEW_API_KEY,
    async fetch(...request) {
      const response = await fetch(...request)
      last = response.clone()
      return response
    },
  })
  return { client, lastResponse: () => last }
}

async function writeResult(
  bytes: Uint8Array,
  { parsed: { query }, output }: PageCommand,
  { stdout }: PageEnvironment,
): Promise<void> {
  const content = query.embed ? bytes : `${JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2)}\n`
  if (output) await writeFile(output, content)
  else if (stdout.isTTY && bytes.includes(0))
    throw new UsageError('The response is binary: write it to a file with -o FILE.')
  else stdout.write(content)
}

function responseSummary({ status, headers, url }: Response): string {
  const lines = VERBOSE_HEADERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
  return [`HTTP ${status} ${url}`, ...lines, ''].join('\n')
}
