import { helpRows, serverHelp } from '../../server/commands/index.js'
import { DEFAULT_CACHE, DEFAULT_LOCK } from '../freeze/index.js'
import { DEFAULT_GONE_AFTER, DEFAULT_RETRY_PAUSE_S, STATE_FILE } from './read-check-command.js'
import { SOURCE_FLAG_ROWS } from './source-flags.js'

const PAGES: Readonly<Record<string, () => string>> = {
  ...serverHelp,
  freeze: freezeHelp,
  capture: captureHelp,
  check: checkHelp,
}

/** @param command  `serve`, `keys`, `purge`, `freeze`, `check`, `capture`, or anything else for an overview. */
export const helpText = (command: string): string => (PAGES[command] ?? overview)()

function overview(): string {
  return `Runs the Page Preview service and manages its keys.

  page-preview-server serve [--option …]         run the service (see page-preview-server serve --help)
  page-preview-server keys create|list|revoke    manage the keys of the pro host (see page-preview-server keys --help)
  page-preview-server purge URL|HOST|--all       delete cached results (see page-preview-server purge --help)
  page-preview-server freeze DIR                 write previews into a static site (see page-preview-server freeze --help)
  page-preview-server capture --from FILE --out DIR    capture a list of pages (see page-preview-server capture --help)
  page-preview-server check DIR                  find dead links of a static site (see page-preview-server check --help)

  page-preview-server serve --demo
`
}

function captureHelp(): string {
  return `Captures a list of pages into a folder: an image of each, and a line of JSON in DIR/results.ndjson.

  page-preview-server capture --from urls.txt --out DIR [--parameter[=value] …]
  page-preview-server capture --from https://example.com/sitemap.xml --out DIR --full-page

What an earlier run has captured into DIR is skipped, so the same command continues where it was stopped.

${helpRows([
  [
    '--from FILE|URL|-',
    'one URL per line, # starts a comment; or a sitemap or sitemap index, also with gzip; - is stdin',
  ],
  ['--out DIR', 'folder of the images and of results.ndjson'],
  ['--no-images', 'write results only'],
  ['--force', 'capture again what has been captured'],
  ['--json', 'print the summary as JSON'],
  ...SOURCE_FLAG_ROWS,
])}

Parameters, as page-preview --help lists them: --element main, --device "iPhone 6", --screenshot.type=webp. --embed=image or
--embed=logo writes that image of the page instead of a screenshot.
`
}

function freezeHelp(): string {
  return `Writes the previews of a static site into its pages, as cards that need no service and no script.

  page-preview-server freeze DIR [--parameter[=value] …]
  page-preview-server freeze dist --auto 'main p > a[href^=http]:only-child' --screenshot

DIR is the folder that the site is built into. The command finds <page-preview> and <a data-page-preview>. The lock file and the
cache folder store what was captured: with both, the next run needs no network and writes the same bytes.

${helpRows([
  ['--auto SELECTOR', 'plain links that become cards'],
  ['--hover SELECTOR', 'plain links that get a hover preview'],
  ['--layout card|row|image|inline', 'of previews that set none; default card'],
  ['--theme auto|light|dark', 'of previews that set none; default auto'],
  ['--color-schemes light,dark', 'capture screenshots in both, and show each visitor the matching one'],
  ['--image-types LIST', 'of webp, avif, jpg, png, in addition to the original type; default webp'],
  ['--inline-styles', 'write the stylesheet into each page'],
  ['--base-url URL', 'URL of the site, for relative links'],
  ['--assets-url URL', 'URL of DIR/page-preview; by default relative to each page'],
  ['--lock FILE', `default ${DEFAULT_LOCK}; belongs in version control`],
  ['--cache DIR', `default ${DEFAULT_CACHE}; for a cache of CI, or version control`],
  ['--max-age 30d', 'capture again what is older'],
  ['--refresh URL', 'capture this link again (repeatable)'],
  ['--offline', 'use only the lock file and the cache'],
  ['--frozen', 'the same, and fail when something is missing from them'],
  ['--archive', 'add a URL of the Wayback Machine to links that fail'],
  ['--prune', 'remove images from the cache folder that no page uses any more'],
  ['--strict', 'exit with 1 when a link fails; by default its last good card stays'],
  ['--watch', 'run again when files below DIR change'],
  ['--json', 'print the summary as JSON'],
  ...SOURCE_FLAG_ROWS,
])}

Parameters, as page-preview --help lists them, apply to previews that do not set them: --screenshot, --device "iPhone 6".
`
}

function checkHelp(): string {
  return `Checks the links of a static site that have previews: their status, error pages served with 200, redirects to the home
page and to new addresses, and against the lock file of freeze their titles and images.

  page-preview-server check DIR [--parameter[=value] …]

A link that fails is tried again after a pause. Only one that failed in several checks is gone, and the exit code is then 1; if
its server did not say that the page does not exist, a day must have passed too. Failing links are recorded in --state: keep the
file between checks, in version control or in the cache of the CI.

${helpRows([
  ['--lock FILE', `what freeze has written; default ${DEFAULT_LOCK}`],
  ['--cache DIR', `images of freeze that the site does not have; default ${DEFAULT_CACHE}`],
  ['--state FILE', `failing links of earlier checks; default ${STATE_FILE} in the folder of the lock file`],
  ['--gone-after N', `checks in a row after which a failing link is gone; default ${DEFAULT_GONE_AFTER}`],
  ['--retry-pause SECONDS', `before failing links are tried again; default ${DEFAULT_RETRY_PAUSE_S}`],
  ['--auto SELECTOR', 'links that freeze makes into cards'],
  ['--hover SELECTOR', 'links that freeze gives hover previews'],
  ['--base-url URL', 'of the site, to which relative links refer'],
  ['--layout, --theme, --color-schemes', 'as with freeze'],
  ['--json', 'print all links as JSON'],
  ...SOURCE_FLAG_ROWS,
])}

Parameters are those of previews that do not set their own, as with freeze.
`
}
