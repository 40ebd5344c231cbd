import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../../local-site.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const DATA_DELAY_MS = 300

/** A page turns red once the data has arrived, which takes much longer than a page without requests is waited for. */
const fetchData = `fetch('/data').then((response) => response.text())`
const worker = `${fetchData}.then(postMessage)`
/** A page without any would be waited for, because it is blank. */
const words = '<p style="position:fixed;top:50%;left:40%">Owls, and what they hear at night</p>'
const frame = `<body><script>${fetchData}.then((colour) => (document.body.style.background = colour))</script>`
const page = `<!doctype html><body>${words}<script>
  new Worker('/worker.js').onmessage = ({ data }) => (document.body.style.background = data)
</script>`
const data: Route = (_, response) => void setTimeout(() => response.end('red'), DATA_DELAY_MS)

let other: LocalSite
let test: TestBrowser
beforeAll(async () => {
  other = await localSite({ '/': frame, '/data': data }, 0, '127.0.0.2')
  test = await startTestBrowser(
    {
      '/worker': page,
      '/worker.js': (_, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(worker),
      '/data': data,
      '/frame': `<!doctype html><style>*{margin:0;border:0}iframe{width:100vw;height:100vh}</style>${words}<iframe src="${other.url}"></iframe>`,
      '/ended': `<!doctype html>${words}<script>
        const worker = new Worker('/waiting.js')
        worker.onmessage = () => worker.terminate()
      </script>`,
      '/waiting.js': (_, response) =>
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('/never'); postMessage('')`),
      '/never': () => undefined,
    },
    { allowTargets: [other.host] },
  )
})
afterAll(async () => {
  await test.close()
  await other.close()
})

it.each(['worker', 'frame'])('waits for the requests of a %s of the page', async (path) => {
  expect(await test.capture(`/${path}`)).toMatchObject({ backgroundColor: '#fe0000', warnings: [] })
})

it.each(['worker', 'frame', 'ended'])('notices that no request of a page is in flight: %s', async (path) => {
  expect(await test.capture(`/${path}`, { waitUntil: 'networkidle' })).toMatchObject({
    isCutShort: false,
    isProvisional: false,
    warnings: [],
  })
})
