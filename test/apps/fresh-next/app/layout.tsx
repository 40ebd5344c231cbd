import 'page-preview/styles.css'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Providers } from '../snippets/providers'

export const metadata: Metadata = { title: 'A new app of Next' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
