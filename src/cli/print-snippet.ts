import { createHash } from 'node:crypto'
import type { CommandEnvironment } from './run.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

const TIMEOUT_MS = 10_000

/**
 * Prints the HTML that brings previews to a page: the script and the stylesheet of one version, with their hashes.
 *
 * @returns  0.
 * @throws   {UsageError} without the address of a service; Error with a sentence when nothing of the kind is there.
 */
export async function printSnippet([service, ...rest]: readonly string[], around: CommandEnvironment): Promise<number> {
  if (!service || rest.length || !/^https?:/.test(service) || !URL.canParse(service))
    throw new UsageError('The address of a service is needed: page-preview snippet https://previews.example.com')
  const base = `${service.replace(/\/+$/, '')}/v${version}`
  const [script, styles] = await Promise.all([`${base}/page-preview.js`, `${base}/page-preview.css`].map(fileFacts))
  around.stdout.write(`<link rel="stylesheet" href="${styles}>
<script async src="${script}></script>
<page-preview url="https://example.com" screenshot><a href="https://example.com">Example</a></page-preview>
`)
  return 0
}

/** The end of a tag that brings a file. */
async function fileFacts(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new Error(`No service answers at ${url}.`, { cause })
  })
  if (!response.ok) throw new Error(`There is nothing at ${url}: is the service of version ${version}?`)
  const hash = createHash('sha384').update(new Uint8Array(await response.arrayBuffer()))
  return `${url}" integrity="sha384-${hash.digest('base64')}" crossorigin`
}
