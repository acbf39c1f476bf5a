import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { wordpressMessages } from './wordpress.messages.ts'
import classes from './wordpress.module.css'
import { pageCacheQuery } from './wordpress.queries.ts'

export function PageCache({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(wordpressMessages)
  const { data: cache, error, refetch } = useQuery(pageCacheQuery(project.id))
  return (
    <Section title={t('cache')} hint={t('cache.hint')}>
      {error && cache === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : cache === undefined ? (
        <RowsSkeleton rows={2} />
      ) : (
        <Stack>
          <CacheState cache={cache} />
          <CacheActions projectId={project.id} isEnabled={cache.enabled} />
        </Stack>
      )}
    </Section>
  )
}

function CacheState({ cache: { enabled, active, days } }: { cache: Schema<'PageCache'> }) {
  const t = useMessages(wordpressMessages)
  const { percent } = useI18n()
  if (!enabled) return <p className={classes.word}>{t('cache.off')}</p>
  if (!active) return <Notice tone="info">{t('cache.inactive')}</Notice>
  const sum = (of: 'hits' | 'misses' | 'bypasses') => days.reduce((total, day) => total + day[of], 0)
  const [hits, bypasses] = [sum('hits'), sum('bypasses')]
  const requests = hits + sum('misses')
  return (
    <p className={classes.word}>
      {requests === 0 ? t('cache.none') : t('cache.rate', { rate: percent(hits / requests), requests, bypasses })}
    </p>
  )
}

function CacheActions({ projectId, isEnabled }: { projectId: string; isEnabled: boolean }) {
  const t = useMessages(wordpressMessages)
  const params = { path: { id: projectId } }
  const invalidates = [['projects', projectId]]
  const change = useAction({
    run: () => data(api.PUT('/api/projects/{id}', { params, body: { pageCache: !isEnabled } })),
    invalidates
  })
  const purge = useAction({
    run: () => data(api.DELETE('/api/projects/{id}/wordpress/page-cache', { params })),
    invalidates,
    done: () => t('cache.purged')
  })
  return (
    <div className={classes.row}>
      <Button variant="default" loading={change.isPending} onClick={() => change.start()}>
        {isEnabled ? t('cache.disable') : t('cache.enable')}
      </Button>
      {isEnabled && (
        <Button variant="default" loading={purge.isPending} onClick={() => purge.start()}>
          {t('cache.purge')}
        </Button>
      )}
    </div>
  )
}
