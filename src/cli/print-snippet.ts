import { createHash } from 'node:crypto'
import type { TerminalOutput } from '../query/help/index.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

const TIMEOUT_MS = 10_000

/**
 * Prints the HTML that adds previews to a page: script and stylesheet of this version, with their integrity hashes.
 *
 * @returns  0.
 * @throws   {UsageError} without the URL of a service; Error with a sentence when the service does not have the files.
 */
export async function printSnippet([service, ...rest]: readonly string[], stdout: TerminalOutput): Promise<number> {
  if (!service || rest.length || !/^https?:/.test(service) || !URL.canParse(service))
    throw new UsageError('Pass the URL of a service: page-preview snippet https://previews.example.com')
  const base = `${service.replace(/(?<!\/)\/+$/, '')}/v${version}`
  const scriptUrl = `${base}/page-preview.js`
  const stylesUrl = `${base}/page-preview.css`
  const [scriptHash, stylesHash] = await Promise.all([hashOf(scriptUrl), hashOf(stylesUrl)])
  stdout.write(`<link rel="stylesheet" href="${stylesUrl}" integrity="${stylesHash}" crossorigin>
<script async src="${scriptUrl}" integrity="${scriptHash}" crossorigin></script>
<page-preview url="https://example.com" screenshot><a href="https://example.com">Example</a></page-preview>
`)
  return 0
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
