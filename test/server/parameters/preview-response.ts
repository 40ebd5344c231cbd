import type { PageResponse } from '../../../src/query/index.js'
import { pixelAt, pixelSize } from '../browser/pixels.js'

/** The body of an error response. */
export interface ErrorBody {
  status: 'fail' | 'error'
  code: string
  message: string
  more: string
  data: Record<string, string>
}

/** A response of the service, with accessors for what most tests check. */
export class PreviewResponse {
  constructor(
    readonly response: Response,
    readonly bytes: Buffer,
    /** Requests another URL of the service. */
    readonly get: (url: string) => Promise<Response>,
    /** The requests for exactly this target page so far. */
    readonly visits: () => readonly string[],
  ) {}

  get status(): number {
    return this.response.status
  }
  header(name: string): string | null {
    return this.response.headers.get(name)
  }
  get body(): PageResponse {
    return JSON.parse(this.bytes.toString()) as PageResponse
  }
  get error() {
    return JSON.parse(this.bytes.toString()) as ErrorBody
  }
  get data() {
    return this.body.data
  }
  get title() {
    return this.data.title
  }
  /** The file of the screenshot whose URL is in the body. */
  async screenshot(): Promise<Buffer> {
    return Buffer.from(await (await this.get(this.data.screenshot!.url)).arrayBuffer())
  }
  async pixel(x: number, y: number): Promise<number[]> {
    return pixelAt(await this.screenshot(), x, y)
  }
  async screenshotSize() {
    return pixelSize(await this.screenshot())
  }
}
