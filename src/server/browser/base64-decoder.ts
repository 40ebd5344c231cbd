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
