import type { CDPSession, Protocol } from 'puppeteer-core'

/**
 * @param signal  Aborts when the page or the browser is gone.
 * @returns       The image file, which may be empty.
 * @throws        {Error} of the browser. An aborted `signal` throws its reason.
 */
export type CaptureScreenshot = (
  session: CDPSession,
  options: Protocol.Page.CaptureScreenshotRequest,
  signal: AbortSignal,
) => Promise<Buffer>

/** For a browser that is connected by WebSocket; the main thread is blocked while the message with the image is parsed. */
export const captureScreenshot: CaptureScreenshot = async (session, options) => {
  const { data } = await session.send('Page.captureScreenshot', options)
  return Buffer.from(data, 'base64')
}
