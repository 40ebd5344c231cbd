/** The formats that are decoded. SVG is not among them, because it may take arbitrarily long to draw. */
export type ImageFormat = 'jpg' | 'png' | 'gif' | 'webp' | 'avif'

const START_BYTES = 32

/** The format of an image by its first bytes, whatever its content type; `undefined` for any other bytes. */
export function detectImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp'
  // The size of the box is first; other bytes there could be those of HTML.
  if (start.startsWith('\0\0') && start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8))) return 'avif'
  return undefined
}
