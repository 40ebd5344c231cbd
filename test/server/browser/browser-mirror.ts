import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'

/** Of Linux on x64. */
const PLATFORM = 'linux64'
const DEFLATE = 8
const EXECUTABLE = `chrome-headless-shell-${PLATFORM}/chrome-headless-shell`

export interface BrowserMirror {
  /** For `--browser-mirror`, without a trailing slash. */
  url: string
  /** Paths and ranges of the requests so far, such as `/1.2.3.4/linux64/….zip bytes=100-`. */
  requests: string[]
  /** Offers a release as the stable one. */
  offer(version: string, options?: OfferOptions): void
  /** Replaces the response to a path. */
  serve(path: string, response: PlainResponse): void
  close(): Promise<void>
}

interface PlainResponse {
  status?: number
  headers?: Record<string, string>
  body?: string
}

export interface OfferOptions {
  /** The executable, a shell script. Default: one that prints the version and captures nothing. */
  script?: string
  /** Sends less than the whole archive with the first response, and then closes the connection. */
  cutAfterBytes?: number
  /** Flips bits of the archive at an offset from its start. */
  damageAt?: number
  /** Sends the hash of the undamaged archive, as Google does. Default: false. */
  hasHash?: boolean
  /** How large the archive claims that another file in it is. Default: as large as it is. */
  statedBytes?: number
  /** Bytes of that file. */
  paddingBytes?: number
}

/** Serves a version list and the archive of one release, with ranges, as any web server does. */
export async function startBrowserMirror(): Promise<BrowserMirror> {
  const files = new Map<string, { content: Buffer; hash: string | undefined; cutAfterBytes: number | undefined }>()
  const plain = new Map<string, PlainResponse>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url!
    requests.push([path, request.headers.range].filter(Boolean).join(' '))
    const { status = 200, headers, body = '' } = plain.get(path) ?? {}
    const file = files.get(path)
    if (plain.has(path)) response.writeHead(status, headers).end(body)
    else if (!file) response.writeHead(404).end()
    else {
      respond(request, response, file)
      file.cutAfterBytes = undefined
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chrome`
  return {
    url,
    requests,
    offer(version, options = {}) {
      const list = JSON.stringify({
        channels: { Beta: { version: '1.2.3.4' }, Stable: { channel: 'Stable', version } },
      })
      const add = (path: string, content: Buffer, hash?: string, cutAfterBytes?: number) =>
        files.set(path, { content, hash, cutAfterBytes })
      add('/chrome/last-known-good-versions.json', Buffer.from(list))
      const { archive, hash } = archiveOf(version, options)
      const path = `/chrome/${version}/${PLATFORM}/chrome-headless-shell-${PLATFORM}.zip`
      add(path, archive, options.hasHash ? hash : undefined, options.cutAfterBytes)
    },
    serve: (path, response) => void plain.set(path, response),
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { content, hash, cutAfterBytes }: { content: Buffer; hash: string | undefined; cutAfterBytes: number | undefined },
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (start > 0 && start >= content.length) return void response.writeHead(416).end()
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': content.length - start,
    ...(start > 0 && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
    ...(hash !== undefined && { 'x-goog-hash': `crc32c=AAAAAA==,md5=${hash}` }),
  })
  if (cutAfterBytes === undefined) return void response.end(content.subarray(start))
  response.write(content.subarray(start, start + cutAfterBytes), () => response.destroy())
}

function archiveOf(version: string, { script, damageAt, statedBytes, paddingBytes = 1_000 }: OfferOptions) {
  const archive = zip({
    [EXECUTABLE]: `#!/bin/sh\n${script ?? `echo Google Chrome for Testing ${version}`}\n`,
    [`chrome-headless-shell-${PLATFORM}/icudtl.dat`]: Buffer.alloc(paddingBytes, version),
  })
  const hash = createHash('md5').update(archive).digest('base64')
  if (damageAt !== undefined) archive[damageAt]! ^= 0xff
  if (statedBytes !== undefined) {
    // The last entry of the central directory, and its size if it is compressed.
    const entry = archive.lastIndexOf('PK\x01\x02')
    archive.writeUInt16LE(DEFLATE, entry + 10)
    archive.writeUInt32LE(statedBytes, entry + 24)
  }
  return { archive, hash }
}

/** A zip file of executable files, stored without compression: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const [version, flags, method, time, date] = [20, 0, 0, 0, 0x21]
    const common = Buffer.alloc(26)
    for (const [index, value] of [version, flags, method, time, date].entries()) common.writeUInt16LE(value, index * 2)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const header = Buffer.alloc(42)
    header.writeUInt32LE(0x02014b50, 0)
    const UNIX = 3
    header.writeUInt16LE((UNIX << 8) | version, 4)
    common.copy(header, 6, 0, 26)
    header.writeUInt32LE((0o100755 << 16) >>> 0, 38)
    const offset = Buffer.alloc(4)
    offset.writeUInt32LE(Buffer.concat(local).length)
    central.push(header, offset, Buffer.from(name))
    local.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes)
  }
  const [contents, directory] = [Buffer.concat(local), Buffer.concat(central)]
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(contents.length, 16)
  return Buffer.concat([contents, directory, end])
}
