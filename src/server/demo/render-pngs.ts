import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'

/** SVG drawings, and the width of their PNG in pixels. */
export type PngRequest = readonly { svg: string; width: number }[]

/** The built script, or in tests its source. */
const SCRIPT = join(import.meta.dirname, `png-process${extname(import.meta.filename)}`)

/**
 * Renders drawings as PNG in a child process, because the process of the service decodes no images.
 *
 * @throws  {Error} when the process ends before it has rendered them.
 */
export async function renderPngs(drawings: PngRequest): Promise<Uint8Array[]> {
  // Windows needs the variable to start any process.
  const child = fork(SCRIPT, { env: { SystemRoot: process.env.SystemRoot }, serialization: 'advanced' })
  const done = new AbortController()
  const ended = once(child, 'exit', { signal: done.signal }).then(([code]: number[]) => {
    throw new Error(`The images of the sample site could not be rendered (exit code ${code}).`)
  })
  try {
    child.send(drawings)
    const [images] = await Promise.race([once(child, 'message', { signal: done.signal }), ended])
    return images as Uint8Array[]
  } finally {
    done.abort()
  }
}
