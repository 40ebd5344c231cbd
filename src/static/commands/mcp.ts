import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { isIP } from 'node:net'
import process from 'node:process'
import { defineCommand, list, UsageError, wholeNumber, withVariables, type Values } from '../../command-line/index.js'
import { createMcpServers, listen } from '../mcp/index.js'
import type { PreviewSource } from '../preview-source.js'
import { sourceOptions, withPreviewSource } from './preview-options.js'

const EXAMPLE = 'page-preview-server mcp --port 3010'
/** A call has a few arguments of at most 8 kB each. */
const MAX_MESSAGE_BYTES = 1_000_000
/** An agent looks at pages that it has just changed. */
const TTL = '1m'
/** A call that waits longer is given up by its client. */
const RETRIES = 1

const options = {
  port: {
    placeholder: 'PORT',
    parse: wholeNumber({ max: 65_535 }),
    help: 'serve streamable HTTP at /mcp on this port instead of stdio; 0 chooses a free port',
  },
  host: {
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    parse: parseAddress,
    help: 'IP address to listen on. Any but loopback needs --mcp-token and --allow-host',
  },
  allowHost: {
    placeholder: 'NAME',
    isRepeatable: true,
    default: '',
    parse: list,
    help: 'name in the Host and Origin headers of requests that is accepted besides localhost (repeatable)',
  },
  ...withVariables({
    mcpToken: {
      placeholder: 'TOKEN',
      isSecret: true,
      parse: parseToken,
      help: 'bearer token that every HTTP request must have, at least 16 characters',
    },
  }),
  ...sourceOptions,
  apiKey: { ...sourceOptions.apiKey, isSecret: true },
} as const

/** Serves MCP until the client closes stdin, or SIGTERM or SIGINT. */
export const mcpCommand = defineCommand({
  description:
    'Gives agents tools to look at web pages, through the Model Context Protocol: preview, screenshot and read.',
  usage: [
    ['page-preview-server mcp', 'over stdio: the client starts this command'],
    [EXAMPLE, 'over streamable HTTP, at http://127.0.0.1:3010/mcp'],
    ['page-preview-server mcp --endpoint https://previews.example.com', 'with the pages of a running service'],
  ],
  details: `Pages are opened by a Chromium of this process, or with --endpoint by a running service, with the key in PAGE_PREVIEW_API_KEY.
Nothing but the protocol is written to stdout; messages for people are on stderr.`,
  options,

  async run({ values, operands }, environment) {
    if (operands.length > 0) throw new UsageError(`"${operands[0]}" is not a flag; pass options only: ${EXAMPLE}`)
    checkExposure(values)
    const settings = { ttl: TTL, retries: RETRIES } as const
    const run = (source: PreviewSource, signal: AbortSignal) => {
      const report = (error: Error) => void environment.stderr.write(`page-preview-server: ${error.message}\n`)
      const { concurrency, endpoint } = values
      const createServer = createMcpServers({ source, concurrency, isLocal: endpoint === undefined })
      return values.port === undefined
        ? runOnStdio(createServer, report, signal)
        : runOnHttp(createServer, { ...values, port: values.port }, { report, signal, stderr: environment.stderr })
    }
    return withPreviewSource(values, environment, 'The server has stopped.', run, settings)
  },
})

type McpValues = Values<typeof options>
type CreateServer = ReturnType<typeof createMcpServers>
type Report = (error: Error) => void

/** @throws  {UsageError} for a server that others than this machine could use without a token. */
function checkExposure({ port, host, allowHost, mcpToken }: McpValues): void {
  if (port === undefined || isLoopback(host)) return
  if (mcpToken === undefined)
    throw new UsageError(
      `Everybody who reaches ${host} could open pages with this server. Set PAGE_PREVIEW_MCP_TOKEN to a long random token, or leave --host out.`,
    )
  if (allowHost.length === 0)
    throw new UsageError(`Pass the name under which clients reach ${host} as --allow-host NAME.`)
}

function parseAddress(text: string): string {
  if (isIP(text)) return text
  throw new Error(`must be an IP address, not "${text}"`)
}

/** @see  https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function parseToken(text: string): string {
  if (/^[\w.~+/-]{16,512}=*$/.test(text)) return text
  throw new Error('must have at least 16 characters, of letters, digits and -._~+/')
}

/** An address in an unusual notation counts as any other. */
const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')

/** Serves the one client that has started this process. */
async function runOnStdio(createServer: CreateServer, report: Report, signal: AbortSignal): Promise<number> {
  // A library that logs there would break the protocol.
  console.log = console.error
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const connection = serveStdio(createServer, { transport, onerror: report })
  await new Promise<void>((resolve) => {
    // It closes itself when the client closes stdin, or sends a message that is too large.
    const close = transport.close.bind(transport)
    transport.close = () => close().finally(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await connection.close()
  process.stdin.destroy()
  return 0
}

async function runOnHttp(
  createServer: CreateServer,
  { port, host, allowHost, mcpToken }: McpValues & { port: number },
  { report, signal, stderr }: { report: Report; signal: AbortSignal; stderr: { write(text: string): unknown } },
): Promise<number> {
  const server = await listen(createServer, { port, host, allowHosts: allowHost, token: mcpToken, onError: report })
  stderr.write(`page-preview-server: MCP at ${server.url}\n`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await server.close()
  return 0
}
