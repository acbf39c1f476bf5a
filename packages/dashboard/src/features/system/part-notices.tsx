import { useQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { healthQuery, isUnavailable, type Part } from './health.queries.ts'

const PartNotice = lazy(() => import('./part-notice.tsx').then((module) => ({ default: module.PartNotice })))

export function PartNotices() {
  const { data: health } = useQuery(healthQuery)
  const needed = useMatches({
    select: (matches) => matches.flatMap(({ staticData }) => staticData.parts ?? []).join()
  })
  const unavailable = needed.split(',').filter((name) => isUnavailable(health?.parts[name])) as Part[]
  if (unavailable.length === 0) return null
  return (
    <Suspense fallback={null}>
      {unavailable.map((part) => (
        <PartNotice key={part} part={part} state={health?.parts[part]} />
      ))}
    </Suspense>
  )
}
