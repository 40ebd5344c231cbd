import type { ConnectionTransport } from 'puppeteer-core'
import type { Readable, Writable } from 'node:stream'
import { abortable } from './abortable.js'
import type { CaptureScreenshot } from './capture-screenshot.js'
import { FIRST_SCREENSHOT_ID, MessageReader, type ScreenshotResponse } from './message-reader.js'

export interface PipeTransport extends ConnectionTransport {
  /** Keeps the image out of puppeteer, which would parse it as a part of JSON in one turn of the event loop. */
  captureScreenshot: CaptureScreenshot
}

/** Carries DevTools messages over two pipes; a zero byte ends each message (`--remote-debugging-pipe`). */
export function createPipeTransport(toBrowser: Writable, fromBrowser: Readable): PipeTransport {
  const send = (message: string) => void toBrowser.write(`${message}\0`)
  const screenshots = trackScreenshots(send)
  const transport: PipeTransport = {
    send,
    captureScreenshot: screenshots.capture,
    close: () => {
      toBrowser.destroy()
      fromBrowser.destroy()
    },
  }
  let reader = new MessageReader()
  const endMessage = () => {
    const message = reader.end()
    reader = new MessageReader()
    if (typeof message === 'string') transport.onmessage?.(message)
    else if (message) screenshots.receive(message)
  }
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      reader.add(chunk.subarray(start, end))
      start = end + 1
      endMessage()
    }
    reader.add(chunk.subarray(start))
  })
  // A broken pipe means that the browser has exited, which its process reports with a reason.
  toBrowser.on('error', () => transport.onclose?.())
  fromBrowser.on('error', () => transport.onclose?.())
  fromBrowser.on('close', () => transport.onclose?.())
  return transport
}

/** Sends screenshot commands of our own to the browser, and settles them with its responses. */
function trackScreenshots(send: (message: string) => void) {
  const pending = new Map<number, (response: ScreenshotResponse) => void>()
  let nextId = FIRST_SCREENSHOT_ID

  const capture: CaptureScreenshot = async (session, params, signal) => {
    signal.throwIfAborted()
    const id = nextId++
    const responding = new Promise<ScreenshotResponse>((resolve) => pending.set(id, resolve))
    send(JSON.stringify({ id, sessionId: session.id(), method: 'Page.captureScreenshot', params }))
    const response = await abortable(responding, signal).finally(() => pending.delete(id))
    if ('error' in response) throw response.error
    return response.image
  }
  return {
    capture,
    /** Ignores a response whose caller was aborted. */
    receive: (response: ScreenshotResponse) => pending.get(response.id)?.(response),
  }
}
