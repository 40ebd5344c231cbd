// Covers the theme `auto` on pages of every kind, in Firefox.
import { launch } from 'puppeteer-core'
import { testThemeTable } from './theme-table.js'

for (const [value, system] of (['dark', 'light'] as const).entries())
  testThemeTable(system, () =>
    launch({
      browser: 'firefox',
      executablePath: process.env.FIREFOX_PATH!,
      extraPrefsFirefox: { 'layout.css.prefers-color-scheme.content-override': value },
    }),
  )
