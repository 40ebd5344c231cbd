import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { openUrlLists, type GuardedRequests } from '../server/static-tools.js'

/**
 * Reads a list with one URL per line, a sitemap or a sitemap index, each also compressed with gzip.
 *
 * @param from  Path or URL of the file, or `-` for stdin.
 * @returns     Each entry once, in order; they may be invalid URLs.
 * @throws      Error with a sentence when a file cannot be read, or has no or too many URLs.
 */
export async function readUrls(
  from: string,
  { stdin, requests, signal }: { stdin: Readable; requests: Pick<GuardedRequests, 'fetchList'>; signal: AbortSignal },
): Promise<string[]> {
  const { readUrlList, parseListFile, isUrl, MAX_LIST_BYTES: maxBytes } = await openUrlLists()
  const name = from === '-' ? 'stdin' : from
  const readFile = (source: string) =>
    isUrl(source)
      ? requests.fetchList(source, signal)
      : readStream(from === '-' ? stdin : createReadStream(source), { name, maxBytes, signal })
  return readUrlList(name, async (source) => parseListFile(await readFile(source), source))
}

async function readStream(
  stream: Readable,
  { name, maxBytes, signal }: { name: string; maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } catch (cause) {
    signal.throwIfAborted()
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
    throw new Error(`${name} cannot be read: ${reason}.`, { cause })
  }
  return Buffer.concat(chunks)
}
