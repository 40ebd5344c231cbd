import type { ConnectionTransport } from 'puppeteer-core'
import type { Readable, Writable } from 'node:stream'

/** Carries DevTools messages over two pipes; a zero byte ends each message (`--remote-debugging-pipe`). */
export function createPipeTransport(toBrowser: Writable, fromBrowser: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void toBrowser.write(`${message}\0`),
    close: () => {
      toBrowser.destroy()
      fromBrowser.destroy()
    },
  }
  let chunks: Buffer[] = []
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...chunks, chunk.subarray(start, end)]).toString()
      chunks = []
      start = end + 1
      transport.onmessage?.(message)
    }
    if (start < chunk.length) chunks.push(chunk.subarray(start))
  })
  // A broken pipe means that the browser has exited, which its process reports with a reason.
  toBrowser.on('error', () => transport.onclose?.())
  fromBrowser.on('error', () => transport.onclose?.())
  fromBrowser.on('close', () => transport.onclose?.())
  return transport
}
