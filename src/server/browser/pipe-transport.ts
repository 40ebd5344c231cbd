import type { ConnectionTransport } from 'puppeteer-core'
import type { Readable, Writable } from 'node:stream'

/** Carries DevTools messages over two pipes, each message ended by a zero byte (`--remote-debugging-pipe`). */
export function pipeTransport(toBrowser: Writable, fromBrowser: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void toBrowser.write(`${message}\0`),
    close: () => {
      toBrowser.destroy()
      fromBrowser.destroy()
    },
  }
  let parts: Buffer[] = []
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...parts, chunk.subarray(start, end)]).toString()
      parts = []
      start = end + 1
      transport.onmessage?.(message)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  // A broken pipe is the end of the browser, which the process itself reports.
  toBrowser.on('error', () => transport.onclose?.())
  fromBrowser.on('error', () => transport.onclose?.())
  fromBrowser.on('close', () => transport.onclose?.())
  return transport
}
