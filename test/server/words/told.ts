import type { PageResponse } from '../../../src/query/index.js'
import { pixelAt, pixelSize } from '../browser/pixels.js'

/** What an error says. */
export interface Failure {
  status: 'fail' | 'error'
  code: string
  message: string
  more: string
  data: Record<string, string>
}

/** An answer of the service, with what is mostly looked at. */
export class Told {
  constructor(
    readonly response: Response,
    readonly bytes: Buffer,
    /** Asks the service for something else. */
    readonly get: (url: string) => Promise<Response>,
    /** Every time that this very target page was asked for. */
    readonly visits: () => readonly string[],
  ) {}

  get status(): number {
    return this.response.status
  }
  header(name: string): string | null {
    return this.response.headers.get(name)
  }
  get answer(): PageResponse {
    return JSON.parse(this.bytes.toString()) as PageResponse
  }
  get failure() {
    return JSON.parse(this.bytes.toString()) as Failure
  }
  get data() {
    return this.answer.data
  }
  get title() {
    return this.data.title
  }
  /** The screenshot that the answer names. */
  async picture(): Promise<Buffer> {
    return Buffer.from(await (await this.get(this.data.screenshot!.url)).arrayBuffer())
  }
  async pixel(x: number, y: number): Promise<number[]> {
    return pixelAt(await this.picture(), x, y)
  }
  async pictureSize() {
    return pixelSize(await this.picture())
  }
}
