import { UsageError } from '../../server/commands/index.js'

/** The flags for the appearance of previews that do not set it themselves. */
export const APPEARANCE_FLAGS = {
  layout: { type: 'string' },
  theme: { type: 'string' },
  'color-schemes': { type: 'string' },
} as const

/**
 * Reads them as options of a preview.
 *
 * @param last  The value of a flag, the last where it is repeated.
 * @throws      {UsageError} for an unknown value.
 */
export function readAppearanceFlags(
  last: (flag: keyof typeof APPEARANCE_FLAGS) => string | undefined,
): Record<string, string> {
  return {
    ...choice('layout', last('layout'), ['card', 'row', 'image', 'inline']),
    ...choice('theme', last('theme'), ['auto', 'light', 'dark']),
    ...colorSchemes(last('color-schemes')),
  }
}

function choice(name: string, value: string | undefined, offered: readonly string[]): Record<string, string> {
  if (value === undefined) return {}
  if (offered.includes(value)) return { [name]: value }
  throw new UsageError(`--${name} must be one of ${offered.join(', ')}, not "${value}".`)
}

function colorSchemes(value: string | undefined): Record<string, string> {
  if (value === undefined) return {}
  if (/^(light,dark|dark,light)$/.test(value)) return { colorSchemes: 'light dark' }
  throw new UsageError(`--color-schemes must be light,dark, not "${value}"; for one of them use --color-scheme.`)
}
