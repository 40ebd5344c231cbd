import { type CommandEnvironment, UsageError } from '../../server/commands/index.js'
import type { CaptureRequest } from '../capture/index.js'
import { readParameterFlags } from './read-parameter-flags.js'
import { readSourceOptions, SOURCE_FLAGS, type SourceOptions } from './source-flags.js'

/** The parsed arguments of `capture`. */
export interface CaptureCommand {
  /** Path or URL of a list or sitemap, or `-`. */
  from: string
  out: string
  request: CaptureRequest
  source: SourceOptions
  isForced: boolean
  isJson: boolean
}

const FLAGS = {
  ...SOURCE_FLAGS,
  from: { type: 'string' },
  out: { type: 'string', short: 'o' },
  'no-images': { type: 'boolean' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const EXAMPLE = 'page-preview-server capture --from urls.txt --out DIR'

/** @throws {UsageError} */
export async function readCaptureCommand(
  args: readonly string[],
  env: CommandEnvironment['env'],
): Promise<CaptureCommand> {
  const { valuesOf, isSet, parameters, operands } = readParameterFlags(args, FLAGS)
  const from = valuesOf('from').at(-1)
  const out = valuesOf('out').at(-1)
  if (operands.length > 0)
    throw new UsageError(
      `"${operands[0]}" is not a flag; pass the URLs in a file, or on stdin with --from -: ${EXAMPLE}`,
    )
  if (!from) throw new UsageError(`--from is missing: a list of URLs, a sitemap, or - for stdin: ${EXAMPLE}`)
  if (!out) throw new UsageError(`--out is missing: the folder for images and results: ${EXAMPLE}`)
  const isForced = isSet('force')
  return {
    from,
    out,
    request: readRequest(parameters, { isForced, hasImages: !isSet('no-images') }),
    source: await readSourceOptions(valuesOf, env),
    isForced,
    isJson: isSet('json'),
  }
}

/** A screenshot is written unless `--embed` names another image. */
function readRequest(
  { embed, variant = {}, ...parameters }: ReturnType<typeof readParameterFlags>['parameters'],
  { isForced, hasImages }: { isForced: boolean; hasImages: boolean },
): CaptureRequest {
  const name = typeof embed === 'string' ? embed.replace(/\.url$/, '') : 'screenshot'
  if (name !== 'screenshot' && name !== 'image' && name !== 'logo')
    throw new UsageError(`--embed must be screenshot, image or logo here, not "${name}".`)
  const field = hasImages ? name : undefined
  return {
    parameters: {
      ...parameters,
      ...(field === 'screenshot' && { screenshot: parameters.screenshot ?? true }),
      ...(isForced && { force: true }),
    },
    field,
    variant,
  }
}
