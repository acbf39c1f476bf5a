import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'

interface OverviewBlockProps<Data> {
  title: string
  more: ReactNode
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children(data: Data): ReactNode
}

export function OverviewBlock<Data>({ title, more, query, children }: OverviewBlockProps<Data>) {
  const { data, error, refetch } = query
  return (
    <Section title={title} actions={more}>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton rows={2} height={41} />
      )}
    </Section>
  )
}
