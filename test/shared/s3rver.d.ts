declare module 's3rver' {
  import type { IncomingMessage } from 'node:http'
  import type { AddressInfo } from 'node:net'
  import type { Readable } from 'node:stream'

  /** The used part of a package that has no types. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string }[]
    })
    readonly store: {
      getResourcePath(bucket: string, key: string, resource: 'object'): string
      putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
      putObject(object: {
        bucket: string
        key: string
        content: Readable
        metadata: object
      }): Promise<{ size: number; md5: string }>
    }
    readonly middleware: ((context: { req: IncomingMessage }, next: () => Promise<void>) => Promise<void>)[]
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
