import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { deliveriesPerPage, deliveriesQuery, replayDelivery, type WebhookDelivery } from './pushes.queries.ts'

const tones: Record<WebhookDelivery['verdict'], Tone> = { ACCEPTED: 'ok', IGNORED: 'idle', REFUSED: 'bad' }

export function WebhookDeliveries({ projectId }: { projectId: string }) {
  const t = useMessages(projectSettingsMessages)
  const { page = 1 } = useSearch({ from: '/signed-in/projects/$projectId/settings' })
  const { data, error, refetch } = useQuery(deliveriesQuery(projectId, page))
  return (
    <Section title={t('deliveries')} hint={t('deliveries.hint')}>
      {data ? (
        <>
          {data.pagination.total === 0 ? (
            <EmptyState title={t('deliveries.none')} hint={t('deliveries.none.hint')} />
          ) : (
            <DeliveryTable projectId={projectId} deliveries={data.deliveries} />
          )}
          <Pagination page={page} limit={deliveriesPerPage} total={data.pagination.total} />
          {data.unsigned.latestAt !== null && (
            <p className={card.sub}>
              {t('deliveries.unsigned', { count: data.unsigned.count })} <Time at={data.unsigned.latestAt} />
            </p>
          )}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton rows={3} height={41} />
      )}
    </Section>
  )
}

function DeliveryTable({ projectId, deliveries }: { projectId: string; deliveries: readonly WebhookDelivery[] }) {
  const t = useMessages(projectSettingsMessages)
  const navigate = useNavigate()
  const replay = useAction({
    run: (deliveryId: string) => replayDelivery(projectId, deliveryId),
    invalidates: [['projects', projectId]],
    onDone: ({ id }) =>
      void navigate({ to: '/projects/$projectId/deployments', params: { projectId }, search: { d: id } })
  })
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('deliveries.when')}</th>
          <th scope="col">{t('deliveries.event')}</th>
          <th scope="col">{t('deliveries.commit')}</th>
          <th scope="col">{t('deliveries.verdict')}</th>
          <th scope="col" className={card.end}>
            {t('deliveries.action')}
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <Time at={delivery.createdAt} />
            </td>
            <td>
              {t(`provider.${delivery.provider}`)}
              <div className={card.sub}>
                <Foreign>{delivery.event}</Foreign>
              </div>
            </td>
            <td>
              <Foreign>{delivery.commitHash?.slice(0, 7) ?? '–'}</Foreign>
              {delivery.ref !== null && (
                <div className={card.sub}>
                  <Foreign>{delivery.ref.name}</Foreign>
                </div>
              )}
            </td>
            <td>
              <StatusBadge tone={tones[delivery.verdict]}>{t(`verdict.${delivery.verdict}`)}</StatusBadge>
              {delivery.reason !== null && (
                <div className={card.sub}>
                  <SentenceText by={{ deliveryReason: projectSettingsMessages }} sentences={delivery.sentences}>
                    {delivery.reason}
                  </SentenceText>
                </div>
              )}
              {delivery.deploymentId !== null && (
                <div className={card.sub}>
                  <Link
                    to="/projects/$projectId/deployments"
                    params={{ projectId }}
                    search={{ d: delivery.deploymentId }}
                  >
                    {t('deliveries.deployment')}
                  </Link>
                </div>
              )}
            </td>
            <td className={card.end}>
              {delivery.replayable && (
                <Button
                  variant="default"
                  size="xs"
                  loading={replay.isPending}
                  onClick={() => replay.start(delivery.id)}
                >
                  {t('deliveries.replay')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
