import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { type DnsRecord, recordsKey } from './dns-records.queries.ts'

const tones = { MATCH: 'ok', MISMATCH: 'warn', NOT_FOUND: 'bad' } as const

export function Propagation({ domainId, record, onClose }: { domainId: string; record: DnsRecord; onClose(): void }) {
  const t = useMessages(dnsRecordMessages)
  const ui = useMessages(uiMessages)
  const path = { id: domainId, recordId: record.id }
  const {
    data: seen,
    error,
    refetch
  } = useQuery({
    queryKey: [...recordsKey(domainId), record.id, 'propagation'],
    queryFn: () => data(api.POST('/api/domains/{id}/dns/{recordId}/propagation', { params: { path } })),
    gcTime: 0,
    staleTime: 'static'
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('propagation', { name: record.name, type: record.type })}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!seen && !error && <RowsSkeleton rows={3} height={32} />}
      {seen && (
        <ScrollRegion label={t('propagation', { name: record.name, type: record.type })}>
          <table className={card.table}>
            <thead>
              <tr>
                <th scope="col">{t('resolver')}</th>
                <th scope="col">{t('sees')}</th>
                <th scope="col">{t('answers')}</th>
              </tr>
            </thead>
            <tbody>
              {seen.resolvers.map(({ resolver, status, detectedRecords, error: problem }) => (
                <tr key={resolver}>
                  <td dir="ltr">{resolver}</td>
                  <td>
                    <StatusBadge tone={tones[status]}>{t(`sees.${status}`)}</StatusBadge>
                  </td>
                  <td dir="ltr">{problem ?? detectedRecords.join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Modal>
  )
}
