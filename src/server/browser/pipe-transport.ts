import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'
import { abortable } from './abortable.js'
import type { CaptureScreenshot } from './running-browser.js'

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
  const giveUp = (cause: unknown) => {
    toBrowser.destroy()
    fromBrowser.destroy(new Error('The browser sent a message that cannot be read.', { cause }))
  }
  let reader = new MessageReader()
  const endMessage = () => {
    const ended = reader
    reader = new MessageReader()
    try {
      const message = ended.end()
      if (typeof message === 'string') passMessage(message, transport, giveUp)
      else if (message) screenshots.receive(message)
    } catch (error) {
      giveUp(error)
    }
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

/**
 * Passes a message to puppeteer. The browser runs the code of pages, so a message that puppeteer cannot read must end that browser
 * alone, and not the service.
 */
function passMessage(
  message: string,
  { onmessage }: Pick<ConnectionTransport, 'onmessage'>,
  onError: (error: unknown) => void,
): void {
  try {
    // Its type leaves out that it is async.
    const done: unknown = onmessage?.(message)
    if (done instanceof Promise) done.catch(onError)
  } catch (error) {
    onError(error)
  }
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

type ScreenshotResponse = { id: number; image: Buffer } | { id: number; error: Error }

/** Screenshot commands have ids of ten digits, which puppeteer's never reach. */
const FIRST_SCREENSHOT_ID = 1_000_000_000

const ID_START = /^\{"id":(\d{10}),/
const IMAGE_START = /^\{"id":(\d{10}),"result":\{"data":"$/
const START_BYTES = `{"id":${FIRST_SCREENSHOT_ID},"result":{"data":"`.length
const QUOTE = '"'.charCodeAt(0)
/** The largest image needs half of it. */
const MAX_IMAGE_MESSAGE_BYTES = 128_000_000
/**
 * Twice as much as the longest document needs: a million characters are 6 MB when each is escaped. Longer messages are the events of
 * pages that send or embed as much, and parsing them blocks the main thread.
 */
const MAX_JSON_BYTES = 13_000_000

/**
 * Reads one message of the browser while it arrives. The image of a screenshot is decoded chunk by chunk: as a part of JSON it
 * would block the main thread for 4 ms per megabyte.
 */
class MessageReader {
  #chunks: Buffer[] = []
  #length = 0
  #image: { id: number; decoder: Base64Decoder; isComplete: boolean } | undefined

  add(chunk: Buffer): void {
    const hadStart = this.#length >= START_BYTES
    this.#length += chunk.length
    if (this.#isTooLong()) this.#drop()
    else if (this.#image) this.#addToImage(chunk)
    else {
      this.#chunks.push(chunk)
      if (!hadStart && this.#length >= START_BYTES) this.#readStart()
    }
  }

  /** @returns JSON for puppeteer, or the response to a screenshot command; `undefined` when the message was too long. */
  end(): string | ScreenshotResponse | undefined {
    if (this.#isTooLong()) return undefined
    if (this.#image) return { id: this.#image.id, image: this.#image.decoder.bytes() }
    const json = Buffer.concat(this.#chunks).toString()
    const id = ID_START.exec(json)?.[1]
    return id === undefined ? json : parseResponse(Number(id), json)
  }

  #isTooLong(): boolean {
    return this.#length > (this.#image ? MAX_IMAGE_MESSAGE_BYTES : MAX_JSON_BYTES)
  }

  #readStart(): void {
    const start = Buffer.concat(this.#chunks)
    const id = IMAGE_START.exec(start.toString('latin1', 0, START_BYTES))?.[1]
    if (id === undefined) return
    this.#chunks = []
    this.#image = { id: Number(id), decoder: new Base64Decoder(), isComplete: false }
    this.#addToImage(start.subarray(START_BYTES))
  }

  #addToImage(chunk: Buffer): void {
    const image = this.#image!
    if (image.isComplete) return
    const end = chunk.indexOf(QUOTE)
    image.isComplete = end >= 0
    image.decoder.add(image.isComplete ? chunk.subarray(0, end) : chunk)
  }

  /** The caller that waits for the message fails when its page is closed. */
  #drop(): void {
    this.#chunks = []
    this.#image?.decoder.clear()
  }
}

/** A failure, or an image that does not begin as expected. */
function parseResponse(id: number, json: string): ScreenshotResponse {
  const { result, error } = JSON.parse(json) as { result?: { data?: string }; error?: { message: string } }
  if (result?.data !== undefined) return { id, image: Buffer.from(result.data, 'base64') }
  return { id, error: new Error(`The browser took no screenshot: ${error?.message ?? 'its response has no image'}`) }
}

/** Characters of base64 that stand for three bytes. */
const GROUP_CHARS = 4

/** Decodes base64 that arrives in chunks, which may begin and end anywhere. */
export class Base64Decoder {
  #decoded: Buffer[] = []
  /** The start of a group whose end has not arrived. */
  #rest = ''

  add(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1')
    const end = text.length - (text.length % GROUP_CHARS)
    this.#decoded.push(Buffer.from(text.slice(0, end), 'base64'))
    this.#rest = text.slice(end)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#decoded)
  }

  clear(): void {
    this.#decoded = []
    this.#rest = ''
  }
}
