import { abortable } from './abortable.js'
import type { CaptureScreenshot } from './capture-screenshot.js'
import { FIRST_SCREENSHOT_ID, type ScreenshotResponse } from './message-reader.js'

/** Sends screenshot commands of our own to the browser, and settles them with its responses. */
export function trackScreenshots(send: (message: string) => void) {
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
