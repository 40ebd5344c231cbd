import { fileURLToPath } from 'node:url'
import type { FreezeOptions } from '../freeze/index.js'
import { freezeBuild, type BuildLogger, type StrictOption } from './freeze-build.js'

/** The part of an Astro integration that is used. */
export interface AstroIntegration {
  name: string
  hooks: { 'astro:build:done': (build: { dir: URL; logger: BuildLogger }) => Promise<void> }
}

export interface AstroPagePreviewOptions extends Omit<FreezeOptions, 'dir'>, StrictOption {}

/** Adds static cards to a site of Astro once its pages are written, because Vite has ended before that. */
export default function pagePreview({ strict, ...options }: AstroPagePreviewOptions = {}): AstroIntegration {
  return {
    name: 'page-preview',
    hooks: {
      'astro:build:done': ({ dir, logger }) => freezeBuild({ ...options, dir: fileURLToPath(dir) }, { strict, logger }),
    },
  }
}
