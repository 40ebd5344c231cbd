import type { TextDecoder } from 'node:util'

/** Some versions of Node decode these bytes of Windows-1252 as Latin-1 control characters: https://github.com/nodejs/node/issues/56542 */
const C1 = /[\u0080-\u009f]/g
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes bytes as browsers do, in every version of Node. */
export function decodeText(bytes: Uint8Array, decoder: TextDecoder): string {
  const text = decoder.decode(bytes)
  return decoder.encoding === 'windows-1252'
    ? text.replace(C1, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control)
    : text
}
