import { writeFile } from 'node:fs/promises'
import { createClient } from '../client/index.js'
import { isPageError } from '../query/index.js'
import { readCommandLine, type PageCommand } from './read-command-line.js'
import type { CommandEnvironment } from './run.js'
import { UsageError } from './usage-error.js'

const LOCAL_FREE = 'http://127.0.0.1:3000'
const LOCAL_PRO = 'http://127.0.0.1:3001'

/**
 * Asks the service for one page: its JSON, or with `embed` the field itself, on stdout or in a file.
 *
 * @returns  0, or 1 when the service said no; why stands on stderr.
 * @throws   {UsageError}
 */
export async function requestPage(
  args: readonly string[],
  { env, stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const { query, output, isVerbose, ...told } = readOrRefuse(args)
  let last: Response | undefined
  const client = createClient({
    hosts: {
      free: told.endpoint ?? env.PAGE_PREVIEW_ENDPOINT ?? LOCAL_FREE,
      pro: told.proEndpoint ?? env.PAGE_PREVIEW_PRO_ENDPOINT ?? LOCAL_PRO,
    },
    apiKey: told.apiKey ?? env.PAGE_PREVIEW_API_KEY,
    async fetch(...request) {
      const response = await fetch(...request)
      last = response.clone()
      return response
    },
  })
  try {
    // An embedded field is no envelope, so the client cannot read it: its bytes are what was asked for.
    await client.page(query).catch((error: unknown) => {
      if (!query.embed || !last?.ok) throw error
    })
    const bytes = new Uint8Array(await last!.arrayBuffer())
    const shown = query.embed ? bytes : `${JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2)}\n`
    if (output) await writeFile(output, shown)
    else if (stdout.isTTY && bytes.includes(0))
      throw new UsageError('These bytes are no text: write them to a file with -o FILE.')
    else stdout.write(shown)
    return 0
  } catch (error) {
    if (!isPageError(error)) throw error
    stderr.write(`page-preview: ${error.message} (${error.code})\n`)
    return 1
  } finally {
    if (isVerbose && last) stderr.write(factsOf(last))
  }
}

function readOrRefuse(args: readonly string[]): PageCommand {
  try {
    return readCommandLine(args)
  } catch (error) {
    if (isPageError(error)) throw new UsageError(`${error.message} (${error.code})`, { cause: error })
    throw error
  }
}

function factsOf({ status, headers, url }: Response): string {
  const names = [
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
  const lines = names.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
  return [`HTTP ${status} ${url}`, ...lines, ''].join('\n')
}
