import { createHash } from 'node:crypto'
import type { TextFile } from './freeze-html-options.js'

/** A file that is named by its content, with a prefix if it has one: `page-preview.0123456789abcdef.css`. */
export function contentFile(extension: string, text: string, prefix = ''): TextFile {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return { name: `${prefix}${hash}.${extension}`, text }
}
