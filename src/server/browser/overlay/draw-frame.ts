import type { OpenPage } from '../open-page.js'
import { runInPage } from '../run-in-page.js'
import { takePicture, type RawPicture } from '../take-picture.js'
import type { Frame } from './frame.js'

export interface DrawFrameOptions {
  frame: Frame
  /** CSS; `undefined` leaves what lies behind to others. */
  background: string | undefined
  isTransparent: boolean
  window: { theme: 'light' | 'dark'; host: string } | undefined
  /** Pixels per CSS pixel. */
  factor: number
}

/** The title bar, drawn for a height of 46 and any width; its text is laid out by HTML, which can shorten it. */
const WINDOW_STYLES = `
  .light { --bar: #f0f0f2; --line: #dcdce1; --pill: #fff; --edge: #e3e3e8; --text: #3f3f46; --ring: #0000001f }
  .dark { --bar: #1d1e24; --line: #2d2e35; --pill: #101116; --edge: #2a2b32; --text: #b9bac2; --ring: #ffffff1a }
  .window { position: absolute; border-radius: calc(13 * var(--unit));
    box-shadow: 0 0 0 max(1px, calc(1 * var(--unit))) var(--ring, #00000014),
      0 calc(10 * var(--unit)) calc(24 * var(--unit)) #00000029, 0 calc(26 * var(--unit)) calc(64 * var(--unit)) #00000042 }
  .bar { height: var(--bar-height); overflow: hidden; position: relative; display: flex; align-items: center; justify-content: center;
    border-radius: calc(13 * var(--unit)) calc(13 * var(--unit)) 0 0; background: var(--bar);
    box-shadow: inset 0 calc(-1 * max(1px, 1 * var(--unit))) var(--line) }
  svg { position: absolute; left: 0; top: 0; height: 100%; aspect-ratio: 100 / 46 }
  .host { box-sizing: border-box; min-width: 38%; max-width: calc(100% - 200 * var(--unit)); height: calc(29 * var(--unit));
    padding: 0 calc(18 * var(--unit)); border: max(1px, calc(1 * var(--unit))) solid var(--edge); border-radius: calc(8 * var(--unit));
    background: var(--pill); color: var(--text); font: calc(15 * var(--unit)) / calc(27 * var(--unit)) system-ui, 'Segoe UI', Roboto,
    'Helvetica Neue', 'Liberation Sans', Arial, sans-serif; text-align: center; white-space: nowrap; overflow: hidden;
    text-overflow: ellipsis; direction: ltr }`
const DOTS = `<svg viewBox="0 0 100 46"><circle cx="24.5" cy="23" r="6.5" fill="#ff5f57"/><circle cx="46.5" cy="23" r="6.5" fill="#febc2e"/><circle cx="68.5" cy="23" r="6.5" fill="#28c840"/></svg>`

/** Whatever a caller wrote is set as a value or as text, and never read as a document. */
const BUILD = `({ frame, background, window, factor, styles, dots }) => {
  const add = (parent, className) => parent.appendChild(Object.assign(document.createElement('div'), { className }))
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }))
  document.body.style.margin = 0
  const all = add(document.body, window?.theme ?? '')
  all.style.cssText = 'position:absolute;overflow:hidden;left:0;top:0;width:' + frame.width + 'px;height:' + frame.height + 'px'
  all.style.setProperty('--unit', frame.unit + 'px')
  all.style.setProperty('--bar-height', frame.bar + 'px')
  if (background !== undefined) {
    const behind = add(all, '')
    // Lengths in it are CSS pixels.
    behind.style.cssText = 'position:absolute;inset:0;zoom:' + factor
    behind.style.background = background
  }
  const box = add(all, 'window')
  const { left, top, bar, width, height } = frame
  const place = { left, top: top - bar, width: width - 2 * left, height: height - left - top + bar }
  for (const [name, value] of Object.entries(place)) box.style[name] = value + 'px'
  if (!window) return
  const title = add(box, 'bar')
  title.innerHTML = dots
  if (place.width > 300 * frame.unit) add(title, 'host').textContent = window.host
}`

/** Draws all but the capture, in a blank page: background, shadow and window. */
export async function drawFrame(
  page: OpenPage,
  { frame, background, isTransparent, window, factor }: DrawFrameOptions,
): Promise<RawPicture> {
  const { width, height } = frame
  await Promise.all([
    page.session.send('Emulation.setDeviceMetricsOverride', {
      width: 800,
      height: 600,
      deviceScaleFactor: 1,
      mobile: false,
    }),
    isTransparent &&
      page.session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }),
    runInPage(page, BUILD, { frame, background, window, factor, styles: WINDOW_STYLES, dots: DOTS }),
  ])
  const box = { x: 0, y: 0, width, height }
  return takePicture(page, {
    box,
    viewport: frame,
    deviceScaleFactor: 1,
    type: 'png',
    quality: 100,
    limits: { maxSide: Infinity },
  })
}
