import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRotatingClient } from '../../../../src/server/store/bucket/rotating-client.js'
import { localSite, type LocalSite } from '../../../local-site.js'

let site: LocalSite
let accepted = 'first'
const received: string[] = []

beforeAll(async () => {
  site = await localSite({
    '/object': (request, response) => {
      const [, key = ''] = /Credential=(\w+)\//.exec(request.headers.authorization ?? '') ?? []
      received.push(key)
      request.resume().on('end', () => response.writeHead(key === accepted ? 200 : 403).end())
    },
  })
})
afterAll(() => site.close())

const credentials = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: 'secret', sessionToken: undefined })
const put = (client: ReturnType<typeof createRotatingClient>) =>
  client.fetch(`${site.url}/object`, { method: 'PUT', body: new Uint8Array([1]) })

describe('the client of a bucket', () => {
  it('reads its credentials again when they are refused, and repeats the request with new ones', async () => {
    let stored = 'first'
    const client = createRotatingClient(() => credentials(stored), 'eu-central-1')
    expect((await put(client)).status).toBe(200)
    accepted = stored = 'second'
    expect((await put(client)).status).toBe(200)
    expect((await put(client)).status).toBe(200)
    expect(received.splice(0)).toEqual(['first', 'first', 'second', 'second'])
  })

  it('repeats nothing while the credentials are the same, or cannot be read', async () => {
    accepted = 'third'
    let isMissing = false
    const client = createRotatingClient(() => {
      if (isMissing) throw new Error('No such file')
      return credentials('second')
    }, 'eu-central-1')
    expect((await put(client)).status).toBe(403)
    isMissing = true
    expect((await put(client)).status).toBe(403)
    expect(received.splice(0)).toEqual(['second', 'second'])
  })
})
