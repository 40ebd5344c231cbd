import type { ComponentProps } from 'react'

// What `shadcn add card` writes, shortened.

export function Card({ className = '', ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="card"
      className={`flex flex-col gap-4 overflow-hidden rounded-xl border bg-card pb-4 text-card-foreground shadow-sm ${className}`}
      {...props}
    />
  )
}

export function Skeleton({ className = '', ...props }: ComponentProps<'div'>) {
  return <div data-slot="skeleton" className={`animate-pulse rounded-md bg-(--border) ${className}`} {...props} />
}
