import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes the fontconfig file of bundled fonts, since the one of the npm package names folders of AWS Lambda.
 *
 * @param finalFolder  Where the fonts are used from; `folder` may be a staging folder.
 */
export async function writeFontsConfig(folder: string, finalFolder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const config = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${finalFolder}</dir><cachedir>${finalFolder}/cache</cachedir></fontconfig>
`
  await writeFile(join(folder, 'fonts.conf'), config)
}
