import type { PageQuery } from '../../query/index.js'
import type { OpenPage } from './open-page.js'
import type { Device } from './resolve-device.js'
import { emulateVisitor } from './emulate-visitor.js'
import { resolveVisitor } from './resolve-visitor.js'

export interface EmulateDeviceOptions {
  device: Device
  /** User agent of desktop devices. */
  userAgent: string
}

/** Applies the device, the visitor and the media features of a query to a new page, before it loads anything. */
export async function emulateDevice(
  page: OpenPage,
  query: PageQuery,
  { device, userAgent }: EmulateDeviceOptions,
): Promise<void> {
  const { session, setups } = page
  const { headers, colorScheme, mediaType, animations, javascript, screenshot, styles } = query
  const visitor = resolveVisitor(query)
  const { width, height, deviceScaleFactor, isMobile, hasTouch } = device
  const isTransparent =
    typeof screenshot === 'object' && screenshot.omitBackground && (screenshot.type ?? 'jpg') !== 'jpg'
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor,
      mobile: isMobile,
      screenWidth: width,
      screenHeight: height,
      screenOrientation:
        width > height ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 },
    }),
    setups.add((each) =>
      each.send('Emulation.setUserAgentOverride', {
        userAgent: headers?.['user-agent'] ?? device.userAgent ?? userAgent,
        // The browser adds the weights.
        acceptLanguage: visitor.languages?.join(),
      }),
    ),
    session.send('Emulation.setEmulatedMedia', {
      media: mediaType ?? '',
      features: [
        { name: 'prefers-color-scheme', value: colorScheme ?? '' },
        { name: 'prefers-reduced-motion', value: animations ? '' : 'reduce' },
      ],
    }),
    emulateVisitor(page, visitor),
    hasTouch && session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    javascript === false && session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    isTransparent && session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }),
    // The page's content security policy would otherwise block the caller's style sheets.
    styles && session.send('Page.setBypassCSP', { enabled: true }),
  ])
}
