import { Button } from '@mantine/core'
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { hasStatus } from '../api/client.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { Notice } from './notice.tsx'
import { uiMessages } from './ui.messages.ts'

const isStale = (query: Query): boolean =>
  query.state.data !== undefined && query.state.error !== null && query.isActive()

export function StaleNotice() {
  const t = useMessages(uiMessages)
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const error = useSyncExternalStore(
    (onChange) => cache.subscribe(notifyManager.batchCalls(onChange)),
    () => cache.getAll().find(isStale)?.state.error
  )
  if (!error) return null
  const again = () => void client.refetchQueries({ predicate: isStale })
  return (
    <Notice
      tone="warn"
      action={
        <Button size="compact-sm" variant="default" onClick={again}>
          {t('retry')}
        </Button>
      }
    >
      {t('stale', { reason: hasStatus(error, 404) ? t('notFound.hint') : error.message })}
    </Notice>
  )
}
