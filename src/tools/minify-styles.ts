import { build, type Rolldown } from 'vite'

/** Minifies a stylesheet as the build of an app does, its nested rules left as they are. */
export async function minifyStyles(path: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, cssTarget: 'esnext', rolldownOptions: { input: path } },
  })
  const { output } = built as Rolldown.RolldownOutput
  const file = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  if (file?.type !== 'asset') throw new Error(`${path} is not a stylesheet.`)
  return String(file.source)
}
