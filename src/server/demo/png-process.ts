import sharp from 'sharp'
import type { PngRequest } from './start-demo-site.js'

// The script of a child process: it renders drawings of the sample site, sends them, and ends.

process.once('message', (drawings: PngRequest) => void respond(drawings))

async function respond(drawings: PngRequest): Promise<void> {
  const images = drawings.map(({ svg, width }) => sharp(Buffer.from(svg)).resize({ width }).png().toBuffer())
  process.send!(await Promise.all(images), () => process.disconnect())
}
