import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import '../copied/wishes.css'
import { Providers } from './providers'

export const metadata: Metadata = { title: 'Wishes' }

export default async function Layout({ children }: { children: ReactNode }) {
  // A nonce is for one response.
  await connection()
  return (
    <html lang="en">
      <body>
        <Providers>
          <main className="mx-auto max-w-sm p-4">{children}</main>
        </Providers>
      </body>
    </html>
  )
}
