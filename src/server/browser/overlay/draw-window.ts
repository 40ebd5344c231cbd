import type { OpenPage } from '../open-page.js'
import { runInPage } from '../run-in-page.js'
import { takeScreenshot, type RawScreenshot } from '../take-screenshot.js'
import type { WindowLayout } from './window-layout.js'

export interface DrawWindowOptions {
  layout: WindowLayout
  /** A CSS background; `undefined`: none is drawn. */
  background: string | undefined
  isTransparent: boolean
  /** `undefined`: only background and shadow are drawn. */
  window: { theme: 'light' | 'dark'; host: string } | undefined
  /** Pixels per CSS pixel. */
  factor: number
}

/** The title bar is designed for a height of 46 units and any width; its text is HTML, so that it can be truncated. */
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
const WINDOW_BUTTONS = `<svg viewBox="0 0 100 46"><circle cx="24.5" cy="23" r="6.5" fill="#ff5f57"/><circle cx="46.5" cy="23" r="6.5" fill="#febc2e"/><circle cx="68.5" cy="23" r="6.5" fill="#28c840"/></svg>`

/** Input of the caller is only ever set as a style value or as text, never parsed as HTML. */
const BUILD_WINDOW = `({ layout, background, window, factor, styles, buttons }) => {
  const add = (parent, className) => parent.appendChild(Object.assign(document.createElement('div'), { className }))
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }))
  document.body.style.margin = 0
  const root = add(document.body, window?.theme ?? '')
  root.style.cssText = 'position:absolute;overflow:hidden;left:0;top:0;width:' + layout.width + 'px;height:' + layout.height + 'px'
  root.style.setProperty('--unit', layout.unit + 'px')
  root.style.setProperty('--bar-height', layout.barHeight + 'px')
  if (background !== undefined) {
    const backdrop = add(root, '')
    // Lengths in the background are CSS pixels.
    backdrop.style.cssText = 'position:absolute;inset:0;zoom:' + factor
    backdrop.style.background = background
  }
  const box = add(root, 'window')
  const { left, top, barHeight, width, height } = layout
  const bounds = { left, top: top - barHeight, width: width - 2 * left, height: height - left - top + barHeight }
  for (const [name, value] of Object.entries(bounds)) box.style[name] = value + 'px'
  if (!window) return
  const bar = add(box, 'bar')
  bar.innerHTML = buttons
  if (bounds.width > 300 * layout.unit) add(bar, 'host').textContent = window.host
}`

/** Draws everything but the screenshot in a blank page: background, shadow and window. */
export async function drawWindow(
  page: OpenPage,
  { layout, background, isTransparent, window, factor }: DrawWindowOptions,
): Promise<RawScreenshot> {
  const { session } = page
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width: 800,
      height: 600,
      deviceScaleFactor: 1,
      mobile: false,
    }),
    isTransparent && session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }),
    runInPage(page, BUILD_WINDOW, {
      layout,
      background,
      window,
      factor,
      styles: WINDOW_STYLES,
      buttons: WINDOW_BUTTONS,
    }),
  ])
  const { width, height } = layout
  return takeScreenshot(page, {
    box: { x: 0, y: 0, width, height },
    viewport: layout,
    deviceScaleFactor: 1,
    type: 'png',
    quality: 100,
    limits: { maxSide: Infinity },
  })
}
