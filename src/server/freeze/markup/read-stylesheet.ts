import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assetsDir } from '../../asset-folders.js'
import { contentFile } from './content-file.js'
import type { TextFile } from './freeze-html-options.js'

/**
 * What only frozen cards need. Of two pictures, that of the card's own `color-scheme` is displayed, where the browser has style
 * queries; others apply the rules of the theme that selectors can express, and then take that of the system.
 */
const FROZEN_STYLES = `@property --_scheme {
  syntax: '<color>';
  inherits: true;
  initial-value: #fff;
}
@layer page-preview {
  :is([data-theme='light'], [theme='light']) {
    --_light: inline;
    --_dark: none;
  }
  :is([data-theme='dark'], [theme='dark']) {
    --_light: none;
    --_dark: inline;
  }
  :is(:root, body).light {
    --_class-light: inline;
    --_class-dark: none;
  }
  :is(:root, body).dark {
    --_class-light: none;
    --_class-dark: inline;
  }
  .pp-light {
    display: var(--_light, var(--_class-light, inline));
  }
  .pp-dark {
    display: var(--_dark, var(--_class-dark, none));
  }
  @media (prefers-color-scheme: dark) {
    .pp-light {
      display: var(--_light, var(--_class-light, none));
    }
    .pp-dark {
      display: var(--_dark, var(--_class-dark, inline));
    }
  }
  .pp-media:has(> .pp-dark) {
    --_scheme: light-dark(#fff, #000);
  }
  @container style(--_scheme: #fff) {
    .pp-light {
      display: inline;
    }
    .pp-dark {
      display: none;
    }
  }
  @container style(--_scheme: #000) {
    .pp-light {
      display: none;
    }
    .pp-dark {
      display: inline;
    }
  }
  page-preview[data-frozen] {
    display: block;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  page-preview[data-frozen]:has(> [data-layout='inline']) {
    display: inline;
  }
  p > page-preview[data-frozen],
  p + page-preview[data-frozen],
  page-preview[data-frozen]:has(+ p) {
    margin-block: 1em;
  }
  page-preview[data-frozen][hidden] {
    display: none;
  }
  :where(.pp-archive) {
    position: relative;
    justify-self: end;
    color: inherit;
  }
}
`

/** The stylesheet of frozen cards, named by its content. */
export async function readStylesheet(): Promise<TextFile> {
  const styles = await readFile(join(assetsDir, 'styles.css'), 'utf8')
  return contentFile('css', styles + FROZEN_STYLES, 'page-preview.')
}
