import type { ComponentProps } from 'react'

// What `shadcn add card skeleton` writes, shortened.

export function Card({ className = '', ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="card"
      className={`flex flex-col gap-6 overflow-hidden rounded-xl border bg-card py-6 text-card-foreground shadow-sm ${className}`}
      {...props}
    />
  )
}

export function CardHeader({ className = '', ...props }: ComponentProps<'div'>) {
  return <div data-slot="card-header" className={`grid auto-rows-min gap-2 px-6 ${className}`} {...props} />
}

export function CardTitle({ className = '', ...props }: ComponentProps<'div'>) {
  return <div data-slot="card-title" className={`leading-none font-semibold ${className}`} {...props} />
}

export function CardDescription({ className = '', ...props }: ComponentProps<'div'>) {
  return <div data-slot="card-description" className={`text-sm opacity-70 ${className}`} {...props} />
}

export function Skeleton({ className = '', ...props }: ComponentProps<'div'>) {
  return <div data-slot="skeleton" className={`animate-pulse rounded-md bg-(--border) ${className}`} {...props} />
}
