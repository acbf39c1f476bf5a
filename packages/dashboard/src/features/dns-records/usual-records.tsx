import { Button, Group, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { defaultsQuery, recordsKey } from './dns-records.queries.ts'
import { ImportPreview } from './import-preview.tsx'

export function UsualRecords({ domainId, onClose }: { domainId: string; onClose(): void }) {
  const t = useMessages(dnsRecordMessages)
  const ui = useMessages(uiMessages)
  const { data: preview, error, refetch } = useQuery(defaultsQuery(domainId))
  const create = useAction({
    run: () => data(api.POST('/api/domains/{id}/dns/defaults', { params: { path: { id: domainId } } })),
    invalidates: [recordsKey(domainId)],
    done: () => t('usual.done'),
    onDone: onClose
  })
  return (
    <Modal opened onClose={onClose} size="lg" title={t('usual')} closeButtonProps={{ 'aria-label': ui('close') }}>
      <Stack gap="md">
        <p>{t('usual.hint')}</p>
        {error && !preview && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !preview && <RowsSkeleton rows={3} height={32} />}
        {preview && <ImportPreview preview={preview} />}
        <Group>
          <Button
            loading={create.isPending}
            disabled={!preview || preview.counts.added === 0}
            onClick={() => create.start()}
          >
            {t('usual.go')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {ui('cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
