'use client'

import { PagePreview } from 'page-preview'

/** The same import in a client component: the browser fetches. */
export const ClientPreview = ({ url }: { url: string }) => <PagePreview url={url} screenshot />
