export const metadata = { title: 'Field notes', icons: '/icon.svg' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <link rel="stylesheet" href="/site.css" />
      </head>
      <body>
        <nav>
          <a href="/">Notes</a> <a href="/layouts">Layouts</a> <a href="/links">Links</a> <a href="/code">Code</a>
        </nav>
        <main>{children}</main>
      </body>
    </html>
  )
}
