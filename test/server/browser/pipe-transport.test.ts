import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CDPSession } from 'puppeteer-core'
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { Base64Decoder, createPipeTransport, type PipeTransport } from '../../../src/server/browser/pipe-transport.js'

interface Command {
  id: number
  sessionId: string
  method: string
  params: unknown
}

const IMAGE = Buffer.from(Array.from({ length: 50 }, (_, index) => (index * 37) % 256))
const DATA = IMAGE.toString('base64')
const MAX_JSON_BYTES = 13_000_000
const MAX_IMAGE_BYTES = 128_000_000

let toBrowser: PassThrough
let fromBrowser: PassThrough
let transport: PipeTransport
/** What puppeteer receives. */
let received: unknown[]
let onclose: Mock
beforeEach(() => {
  toBrowser = new PassThrough()
  fromBrowser = new PassThrough()
  transport = createPipeTransport(toBrowser, fromBrowser)
  received = []
  onclose = vi.fn()
  Object.assign(transport, { onmessage: (message: string) => void received.push(JSON.parse(message)), onclose })
})

const commands = () =>
  String(toBrowser.read() ?? '')
    .split('\0')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as Command)

const capture = (sessionId = 'page', signal = new AbortController().signal) => {
  const session = { id: () => sessionId } as CDPSession
  const image = transport.captureScreenshot(session, { format: 'png' }, signal)
  // A test may settle it before it awaits it.
  image.catch(() => undefined)
  return { image, command: commands()[0]! }
}

/** In the order of Chromium. */
const imageResponse = (id: number, data = DATA) => `{"id":${id},"result":{"data":"${data}"},"sessionId":"page"}\0`
const errorResponse = (id: number) =>
  `{"id":${id},"error":{"code":-32000,"message":"Not attached to an active page"},"sessionId":"page"}\0`

describe('a screenshot', () => {
  it('is sent as a command of its session, with an id that puppeteer does not use', () => {
    const { command } = capture('page')
    expect(command).toEqual({
      id: 1_000_000_000,
      sessionId: 'page',
      method: 'Page.captureScreenshot',
      params: { format: 'png' },
    })
  })

  it('is read from chunks that end anywhere, beside messages for puppeteer', async () => {
    const length = Buffer.byteLength(`{"id":7,"result":{}}\0${imageResponse(1_000_000_000)}{"method":"ä"}\0`)
    for (let end = 0; end <= length; end++) {
      const { image, command } = capture()
      const bytes = Buffer.from(`{"id":7,"result":{}}\0${imageResponse(command.id)}{"method":"ä"}\0`)
      fromBrowser.write(bytes.subarray(0, end))
      fromBrowser.write(bytes.subarray(end))
      expect(await image).toEqual(IMAGE)
      await vi.waitFor(() => expect(received.splice(0)).toEqual([{ id: 7, result: {} }, { method: 'ä' }]))
    }
  })

  it.each([1, 2, 3, 5])('is read from chunks of %i bytes', async (chunkLength) => {
    const { image, command } = capture()
    const bytes = Buffer.from(imageResponse(command.id))
    for (let start = 0; start < bytes.length; start += chunkLength)
      fromBrowser.write(bytes.subarray(start, start + chunkLength))
    expect(await image).toEqual(IMAGE)
    expect(received).toEqual([])
  })

  it('is read from a response in another order too', async () => {
    const { image, command } = capture()
    fromBrowser.write(`{"id":${command.id},"sessionId":"page","result":{"data":"${DATA}"}}\0`)
    expect(await image).toEqual(IMAGE)
    expect(received).toEqual([])
  })

  it('is matched to its command where two are taken at the same time', async () => {
    const [first, second] = [capture('first'), capture('second')]
    expect(first.command.id).not.toBe(second.command.id)
    const bytes = [second, first].map(({ command }) =>
      imageResponse(command.id, Buffer.from(command.sessionId).toString('base64')),
    )
    fromBrowser.write(bytes.join(''))
    expect(String(await first.image)).toBe('first')
    expect(String(await second.image)).toBe('second')
  })

  it('may be empty', async () => {
    const { image, command } = capture()
    fromBrowser.write(imageResponse(command.id, ''))
    expect(await image).toHaveLength(0)
  })

  it('fails with the reason of the browser', async () => {
    const { image, command } = capture()
    fromBrowser.write(errorResponse(command.id))
    await expect(image).rejects.toThrow('Not attached to an active page')
    expect(received).toEqual([])
  })

  it('fails when its response has no image', async () => {
    const { image, command } = capture()
    fromBrowser.write(`{"id":${command.id},"result":{}}\0`)
    await expect(image).rejects.toThrow('no image')
  })

  it('fails as soon as its page or its browser is gone, also in the middle of its response', async () => {
    const gone = new AbortController()
    const { image, command } = capture('page', gone.signal)
    const response = imageResponse(command.id)
    fromBrowser.write(response.slice(0, 60))
    gone.abort(new Error('The tab crashed.'))
    await expect(image).rejects.toThrow('The tab crashed.')
    fromBrowser.write(`${response.slice(60)}{"method":"after"}\0`)
    await vi.waitFor(() => expect(received).toEqual([{ method: 'after' }]))
  })

  it('is not requested of a page that is gone', async () => {
    const signal = AbortSignal.abort(new Error('The page was closed.'))
    const session = { id: () => 'page' } as CDPSession
    await expect(transport.captureScreenshot(session, {}, signal)).rejects.toThrow('The page was closed.')
    expect(commands()).toEqual([])
  })

  it('that nobody waits for does not reach puppeteer, nor does its failure', async () => {
    fromBrowser.write(`${imageResponse(1_000_000_009)}${errorResponse(1_000_000_008)}{"method":"after"}\0`)
    await vi.waitFor(() => expect(received).toEqual([{ method: 'after' }]))
  })

  it('leaves no listener on the signal of its page', async () => {
    const gone = new AbortController()
    const remove = vi.spyOn(gone.signal, 'removeEventListener')
    const { image, command } = capture('page', gone.signal)
    fromBrowser.write(imageResponse(command.id))
    await image
    await nextTurn()
    expect(remove).toHaveBeenCalled()
  })
})

describe('a message', () => {
  it.each([
    ['JSON of more than 13 MB', '{"method":"', MAX_JSON_BYTES],
    ['an image of more than 128 MB', '{"id":1000000000,"result":{"data":"', MAX_IMAGE_BYTES],
  ])('is dropped when it is %s, and those behind it are read', async (_, start, maxBytes) => {
    const chunk = Buffer.alloc(1_000_000, 'a')
    fromBrowser.write(start)
    for (let sent = 0; sent < maxBytes; sent += chunk.length) fromBrowser.write(chunk)
    fromBrowser.write('"}\0{"method":"after"}\0')
    await vi.waitFor(() => expect(received).toEqual([{ method: 'after' }]))
  })

  it('of almost 13 MB reaches puppeteer', async () => {
    const method = 'a'.repeat(MAX_JSON_BYTES - 1_000)
    fromBrowser.write(`{"method":"${method}"}\0`)
    await vi.waitFor(() => expect(received).toEqual([{ method }]))
  })

  it('of puppeteer ends with a zero byte', () => {
    transport.send('{"id":1}')
    expect(String(toBrowser.read())).toBe('{"id":1}\0')
  })
})

describe('a message that cannot be read', () => {
  it.each([
    ['the response to a screenshot', '{"id":1000000000,"error":{"message"'],
    ['the response to a screenshot, which is no object', '{"id":1000000000,"result":null} x'],
    ['for puppeteer, which is no JSON', '{"id":7,'],
    ['that is empty', ''],
    ['of another type', 'null'],
    ['with bytes that are no text', '{"id":7,"\u0001":"\u0002}'],
  ])('gives the browser up: %s', async (_, message) => {
    Object.assign(transport, { onmessage: async (text: string) => void received.push(JSON.parse(text).id) })
    fromBrowser.write(`${message}\0{"id":8}\0`)
    await vi.waitFor(() => expect(onclose).toHaveBeenCalled())
    expect(toBrowser.destroyed).toBe(true)
    expect(fromBrowser.destroyed).toBe(true)
  })

  it('is reported with its cause', async () => {
    Object.assign(transport, { onmessage: (text: string) => JSON.parse(text) as unknown })
    const errors: Error[] = []
    fromBrowser.on('error', (error) => void errors.push(error))
    fromBrowser.write('{"id":7,\0')
    await vi.waitFor(() => expect(onclose).toHaveBeenCalled())
    expect(errors).toMatchObject([
      { message: expect.stringContaining('cannot be read'), cause: expect.any(SyntaxError) },
    ])
  })
})

it('reports to puppeteer that the browser is gone', async () => {
  fromBrowser.destroy()
  await vi.waitFor(() => expect(onclose).toHaveBeenCalled())
})

it.each([0, 1, 2, 3, 4, 5, 100])('decodes %i bytes that arrive in chunks of any length', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256))
  const encoded = Buffer.from(bytes.toString('base64'))
  for (let chunkLength = 1; chunkLength <= encoded.length + 1; chunkLength++) {
    const decoder = new Base64Decoder()
    for (let start = 0; start < encoded.length; start += chunkLength)
      decoder.add(encoded.subarray(start, start + chunkLength))
    expect(decoder.bytes()).toEqual(bytes)
  }
})
